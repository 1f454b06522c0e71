/* The play rules of all games under each of their options, as `formula.py` writes them down. */

static mask program_0(mask hand, mask lead, mask led, mask rising, mask trumps, mask leading, mask broken, mask first)
{
    return hand;
}

static mask program_1(mask hand, mask lead, mask led, mask rising, mask trumps, mask leading, mask broken, mask first)
{
    mask t0 = hand & led;
    mask t1 = t0 ? t0 : hand;
    return t1;
}

static mask program_2(mask hand, mask lead, mask led, mask rising, mask trumps, mask leading, mask broken, mask first)
{
    mask t0 = ~broken;
    mask t1 = t0 & 1;
    mask t2 = ~trumps;
    mask t3 = hand & t2;
    mask t4 = t3 ? t3 : hand;
    mask t5 = t1 ? t4 : hand;
    return t5;
}

static mask program_3(mask hand, mask lead, mask led, mask rising, mask trumps, mask leading, mask broken, mask first)
{
    mask t0 = hand & led;
    mask t1 = t0 ? t0 : hand;
    mask t2 = t1 & led;
    mask t3 = t1 & trumps;
    mask t4 = t3 ? t3 : t1;
    mask t5 = t2 ? t2 : t4;
    mask t6 = led ? t5 : t1;
    mask t7 = t6 & trumps;
    mask t8 = t7 & rising;
    mask t9 = t8 ? t8 : t6;
    return t9;
}

static mask program_4(mask hand, mask lead, mask led, mask rising, mask trumps, mask leading, mask broken, mask first)
{
    mask t0 = hand & led;
    mask t1 = t0 ? t0 : hand;
    mask t2 = t1 & led;
    mask t3 = t1 & trumps;
    mask t4 = t3 ? t3 : t1;
    mask t5 = t2 ? t2 : t4;
    mask t6 = led ? t5 : t1;
    mask t7 = t6 & led;
    mask t8 = t7 & trumps;
    mask t9 = t8 & rising;
    mask t10 = t9 ? t9 : t6;
    return t10;
}

static mask program_5(mask hand, mask lead, mask led, mask rising, mask trumps, mask leading, mask broken, mask first)
{
    mask t0 = hand & led;
    mask t1 = t0 ? t0 : hand;
    mask t2 = lead & 9007199254740992;
    mask t3 = t1 & trumps;
    mask t4 = highest(t3);
    mask t5 = t4 ? t4 : t1;
    mask t6 = t2 ? t5 : t1;
    return t6;
}

#define MANY_PROGRAMS 6
static mask (*const PROGRAMS[])(mask, mask, mask, mask, mask, mask, mask, mask) = {program_0, program_1, program_2, program_3, program_4, program_5};
static const char *const TEXTS[] = {
    "legal = hand",
    "t0 = hand & led; t1 = t0 ? t0 : hand; legal = t1",
    "t0 = ~broken; t1 = t0 & 1; t2 = ~trumps; t3 = hand & t2; t4 = t3 ? t3 : hand; t5 = t1 ? t4 : hand; legal = t5",
    "t0 = hand & led; t1 = t0 ? t0 : hand; t2 = t1 & led; t3 = t1 & trumps; t4 = t3 ? t3 : t1; t5 = t2 ? t2 : t4; t6 = led ? t5 : t1; t7 = t6 & trumps; t8 = t7 & rising; t9 = t8 ? t8 : t6; legal = t9",
    "t0 = hand & led; t1 = t0 ? t0 : hand; t2 = t1 & led; t3 = t1 & trumps; t4 = t3 ? t3 : t1; t5 = t2 ? t2 : t4; t6 = led ? t5 : t1; t7 = t6 & led; t8 = t7 & trumps; t9 = t8 & rising; t10 = t9 ? t9 : t6; legal = t10",
    "t0 = hand & led; t1 = t0 ? t0 : hand; t2 = lead & 9007199254740992; t3 = t1 & trumps; t4 = highest(t3); t5 = t4 ? t4 : t1; t6 = t2 ? t5 : t1; legal = t6",
};
