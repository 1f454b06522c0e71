/* The fast path's two loops in C: which play is which, and tricks taken one after the other. Optional: `tricks.py` beside this file
   does the same in Python, and says what the arguments mean. What may be played is in `rules.h`, written by `formula.py`. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>

typedef uint64_t mask;

static mask highest(mask cards)
{
    return cards ? (mask)1 << (63 - __builtin_clzll(cards)) : 0;
}

static mask count(mask cards)
{
    return (mask)__builtin_popcountll(cards);
}

#include "rules.h"

#define MOST_SEATS 64

/* numbered(events, kind, seats, cards, noted): the number of each play, seat times the cards of the pack plus card, as bytes of
   uint16; None if one of the events is not of this kind, says anything besides, or names a seat or a card that is not there.
   `seats` and `cards` are dicts from names to places, `noted` the names of what a usual play does not say; but the first that it
   says may be the number of the trick that it begins. */
static PyObject *numbered(PyObject *self, PyObject *args)
{
    PyObject *events, *kind, *seats, *cards, *by, *card, *noted;
    if (!PyArg_ParseTuple(args, "O!OO!O!OOO!", &PyList_Type, &events, &kind, &PyDict_Type, &seats, &PyDict_Type, &cards, &by,
                          &card, &PyTuple_Type, &noted))
        return NULL;
    Py_ssize_t many = PyList_GET_SIZE(events), pack = PyDict_GET_SIZE(cards), table = PyDict_GET_SIZE(seats);
    if (!table || !PyTuple_GET_SIZE(noted)) {
        PyErr_SetString(PyExc_ValueError, "these arguments do not go together");
        return NULL;
    }
    PyObject *numbers = PyBytes_FromStringAndSize(NULL, many * (Py_ssize_t)sizeof(uint16_t));
    if (!numbers)
        return NULL;
    uint16_t *out = (uint16_t *)PyBytes_AS_STRING(numbers);
    for (Py_ssize_t place = 0; place < many; place++) {
        PyObject *event = PyList_GET_ITEM(events, place);
        if ((PyObject *)Py_TYPE(event) != kind)
            goto unusual;
        PyObject *told = PyObject_GenericGetDict(event, NULL); /* a model's fields stand there, and nowhere else */
        if (!told)
            goto failed;
        Py_DECREF(told);
        Py_ssize_t next = 0, number = 0, silent = 0, known = 0;
        PyObject *name, *said;
        while (PyDict_Next(told, &next, &name, &said)) { /* names of fields are interned: each is one object */
            if (name == by || name == card) {
                PyObject *found = PyDict_GetItemWithError(name == card ? cards : seats, said);
                if (!found) {
                    if (PyErr_Occurred())
                        goto failed;
                    goto unusual;
                }
                number += PyLong_AsSsize_t(found) * (name == card ? 1 : pack);
                known++;
            } else if (said == Py_None) {
                for (Py_ssize_t each = 0; each < PyTuple_GET_SIZE(noted); each++)
                    silent += name == PyTuple_GET_ITEM(noted, each);
            } else if (name == PyTuple_GET_ITEM(noted, 0) && place % table == 0 && PyLong_Check(said)) {
                silent += PyLong_AsSsize_t(said) == place / table + 1;
                PyErr_Clear();
            }
        }
        if (known != 2 || silent != PyTuple_GET_SIZE(noted))
            goto unusual;
        if (number < 0 || number > UINT16_MAX)
            goto unusual;
        out[place] = (uint16_t)number;
    }
    return numbers;
unusual:
    Py_DECREF(numbers);
    Py_RETURN_NONE;
failed:
    Py_DECREF(numbers);
    return NULL;
}

/* take(numbers, at, number, last, leader, broken, left, turns, ranks, trumps, won, tricks, lead, follow, pairs, names, kind):
   (at, number, leader, broken) after the tricks taken. `ranks` are the suit and then the rising cards of each card, as bytes of
   uint64; `lead` and `follow` are places among PROGRAMS; `pairs` a tuple of (seat, card) by the number of the play. */
static PyObject *take(PyObject *self, PyObject *args)
{
    Py_buffer numbers, ranks;
    Py_ssize_t at, number, last, leader;
    int broken, lead, follow;
    unsigned long long trumps;
    PyObject *left, *turns, *won, *tricks, *pairs, *names, *kind, *answer = NULL;
    if (!PyArg_ParseTuple(args, "y*nnnnpO!O!y*KO!O!iiO!O!O", &numbers, &at, &number, &last, &leader, &broken, &PyList_Type, &left,
                          &PyList_Type, &turns, &ranks, &trumps, &PyList_Type, &won, &PyList_Type, &tricks, &lead, &follow,
                          &PyTuple_Type, &pairs, &PyTuple_Type, &names, &kind))
        return NULL;
    const uint16_t *plays = numbers.buf;
    Py_ssize_t end = numbers.len / (Py_ssize_t)sizeof(uint16_t), many = PyList_GET_SIZE(left);
    Py_ssize_t pack = ranks.len / (Py_ssize_t)(2 * sizeof(mask));
    const mask *suit = ranks.buf, *beats = suit + pack;
    mask hands[MOST_SEATS];
    if (many > MOST_SEATS || pack > 64 || PyTuple_GET_SIZE(names) != many || PyTuple_GET_SIZE(pairs) != many * pack ||
        PyList_GET_SIZE(won) < many || PyList_GET_SIZE(turns) != many || !PyType_Check(kind) || lead < 0 || follow < 0 ||
        lead >= MANY_PROGRAMS || follow >= MANY_PROGRAMS || at < 0 || leader < 0 || leader >= many) {
        PyErr_SetString(PyExc_ValueError, "these arguments do not go together");
        goto done;
    }
    for (Py_ssize_t seat = 0; seat < many; seat++) {
        hands[seat] = PyLong_AsUnsignedLongLong(PyList_GET_ITEM(left, seat));
        if (PyErr_Occurred())
            goto done;
    }
    for (; number <= last && at + many <= end; number++, at += many) {
        PyObject *turn = PyList_GET_ITEM(turns, leader);
        if (!PyTuple_Check(turn) || PyTuple_GET_SIZE(turn) != many) {
            PyErr_SetString(PyExc_ValueError, "not everybody has a turn");
            goto done;
        }
        mask led_card = 0, led = 0, rising = 0, played = 0, gone[MOST_SEATS];
        Py_ssize_t winner = leader, seats[MOST_SEATS];
        for (Py_ssize_t place = 0; place < many; place++) {
            Py_ssize_t seat = PyLong_AsSsize_t(PyTuple_GET_ITEM(turn, place)), card = plays[at + place] - seat * pack;
            if (seat < 0 || seat >= many || card < 0 || card >= pack)
                goto over;
            mask bit = (mask)1 << card;
            mask legal = PROGRAMS[place ? follow : lead](hands[seat], led_card, led, rising, trumps, !place, broken, number == 1);
            if (!(bit & legal & hands[seat]))
                goto over;
            if (!place)
                led_card = bit, led = suit[card];
            if (!place || rising & bit)
                rising = beats[card], winner = seat;
            seats[place] = seat, gone[place] = bit, played |= bit;
        }
        PyObject *row = PyTuple_New(many), *trick = row ? ((PyTypeObject *)kind)->tp_alloc((PyTypeObject *)kind, 3) : NULL;
        if (!trick) {
            Py_XDECREF(row);
            goto done;
        }
        for (Py_ssize_t place = 0; place < many; place++) {
            hands[seats[place]] ^= gone[place];
            PyTuple_SET_ITEM(row, place, Py_NewRef(PyTuple_GET_ITEM(pairs, plays[at + place])));
        }
        PyTuple_SET_ITEM(trick, 0, PyLong_FromSsize_t(number));
        PyTuple_SET_ITEM(trick, 1, row);
        PyTuple_SET_ITEM(trick, 2, Py_NewRef(PyTuple_GET_ITEM(names, winner)));
        int failed = PyList_Append(tricks, trick);
        Py_DECREF(trick);
        if (failed)
            goto done;
        Py_ssize_t before = PyLong_AsSsize_t(PyList_GET_ITEM(won, winner));
        if (PyList_SetItem(won, winner, PyLong_FromSsize_t(before + 1)))
            goto done;
        broken = broken || (played & trumps);
        leader = winner;
    }
over:
    for (Py_ssize_t seat = 0; seat < many; seat++)
        if (PyList_SetItem(left, seat, PyLong_FromUnsignedLongLong(hands[seat])))
            goto done;
    answer = Py_BuildValue("nnni", at, number, leader, broken);
done:
    PyBuffer_Release(&numbers);
    PyBuffer_Release(&ranks);
    return answer;
}

static PyMethodDef METHODS[] = {
    {"numbered", numbered, METH_VARARGS, "The numbers of plays, as bytes of uint16; None if one of them is unusual."},
    {"take", take, METH_VARARGS, "Tricks taken one after the other, as long as they are in order."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_tricks", "The fast path's loops in C.", -1, METHODS};

PyMODINIT_FUNC PyInit__tricks(void)
{
    PyObject *module = PyModule_Create(&MODULE), *programs = module ? PyDict_New() : NULL;
    if (!programs) {
        Py_XDECREF(module);
        return NULL;
    }
    for (int place = 0; place < MANY_PROGRAMS; place++) {
        PyObject *number = PyLong_FromLong(place);
        if (!number || PyDict_SetItemString(programs, TEXTS[place], number)) {
            Py_XDECREF(number);
            Py_DECREF(programs);
            Py_DECREF(module);
            return NULL;
        }
        Py_DECREF(number);
    }
    if (PyModule_AddObject(module, "PROGRAMS", programs)) {
        Py_DECREF(programs);
        Py_DECREF(module);
        return NULL;
    }
    return module;
}
