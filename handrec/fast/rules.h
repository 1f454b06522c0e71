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
    mask t0 = first & 1;
    mask t1 = hand & 1;
    mask t2 = t1 ? t1 : hand;
    mask t3 = t0 ? t2 : hand;
    mask t4 = ~broken;
    mask t5 = t4 & 1;
    mask t6 = t3 & -549688705025;
    mask t7 = t6 ? t6 : t3;
    mask t8 = t5 ? t7 : t3;
    mask t9 = t8 & -563499642126337;
    mask t10 = t9 ? t9 : t8;
    mask t11 = first ? t10 : t8;
    return t11;
}

static mask program_6(mask hand, mask lead, mask led, mask rising, mask trumps, mask leading, mask broken, mask first)
{
    mask t5 = hand & led;
    mask t6 = t5 ? t5 : hand;
    mask t7 = t6 & -563499642126337;
    mask t8 = t7 ? t7 : t6;
    mask t9 = first ? t8 : t6;
    return t9;
}

static mask program_7(mask hand, mask lead, mask led, mask rising, mask trumps, mask leading, mask broken, mask first)
{
    mask t0 = first & 1;
    mask t1 = hand & 8191;
    mask t2 = t1 ? t1 : hand;
    mask t3 = t0 ? t2 : hand;
    mask t4 = ~broken;
    mask t5 = t4 & 1;
    mask t6 = t3 & -549688705025;
    mask t7 = t6 ? t6 : t3;
    mask t8 = t5 ? t7 : t3;
    mask t9 = t8 & -563499642126337;
    mask t10 = t9 ? t9 : t8;
    mask t11 = first ? t10 : t8;
    return t11;
}

static mask program_8(mask hand, mask lead, mask led, mask rising, mask trumps, mask leading, mask broken, mask first)
{
    mask t0 = first & 1;
    mask t1 = hand & 1;
    mask t2 = t1 ? t1 : hand;
    mask t3 = t0 ? t2 : hand;
    mask t4 = ~broken;
    mask t5 = t4 & 1;
    mask t6 = t3 & -563499642126337;
    mask t7 = t3 & -549688705025;
    mask t8 = t6 ? t7 : t3;
    mask t9 = t5 ? t8 : t3;
    mask t10 = t9 & -563499642126337;
    mask t11 = t10 ? t10 : t9;
    mask t12 = first ? t11 : t9;
    return t12;
}

static mask program_9(mask hand, mask lead, mask led, mask rising, mask trumps, mask leading, mask broken, mask first)
{
    mask t6 = hand & led;
    mask t7 = t6 ? t6 : hand;
    mask t8 = t7 & -563499642126337;
    mask t9 = t8 ? t8 : t7;
    mask t10 = first ? t9 : t7;
    return t10;
}

static mask program_10(mask hand, mask lead, mask led, mask rising, mask trumps, mask leading, mask broken, mask first)
{
    mask t0 = first & 1;
    mask t1 = hand & 1;
    mask t2 = t1 ? t1 : hand;
    mask t3 = t0 ? t2 : hand;
    mask t4 = t3 & -563499642126337;
    mask t5 = t4 ? t4 : t3;
    mask t6 = first ? t5 : t3;
    return t6;
}

static mask program_11(mask hand, mask lead, mask led, mask rising, mask trumps, mask leading, mask broken, mask first)
{
    mask t2 = hand & led;
    mask t3 = t2 ? t2 : hand;
    mask t4 = t3 & -563499642126337;
    mask t5 = t4 ? t4 : t3;
    mask t6 = first ? t5 : t3;
    return t6;
}

static mask program_12(mask hand, mask lead, mask led, mask rising, mask trumps, mask leading, mask broken, mask first)
{
    mask t0 = first & 1;
    mask t1 = hand & 1;
    mask t2 = t1 ? t1 : hand;
    mask t3 = t0 ? t2 : hand;
    mask t4 = ~broken;
    mask t5 = t4 & 1;
    mask t6 = t3 & -549688705025;
    mask t7 = t6 ? t6 : t3;
    mask t8 = t5 ? t7 : t3;
    return t8;
}

static mask program_13(mask hand, mask lead, mask led, mask rising, mask trumps, mask leading, mask broken, mask first)
{
    mask t5 = hand & led;
    mask t6 = t5 ? t5 : hand;
    return t6;
}

static mask program_14(mask hand, mask lead, mask led, mask rising, mask trumps, mask leading, mask broken, mask first)
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

#define MANY_PROGRAMS 15
static mask (*const PROGRAMS[])(mask, mask, mask, mask, mask, mask, mask, mask) = {program_0, program_1, program_2, program_3, program_4, program_5, program_6, program_7, program_8, program_9, program_10, program_11, program_12, program_13, program_14};
static const char *const TEXTS[] = {
    "legal = hand",
    "t0 = hand & led; t1 = t0 ? t0 : hand; legal = t1",
    "t0 = ~broken; t1 = t0 & 1; t2 = ~trumps; t3 = hand & t2; t4 = t3 ? t3 : hand; t5 = t1 ? t4 : hand; legal = t5",
    "t0 = hand & led; t1 = t0 ? t0 : hand; t2 = t1 & led; t3 = t1 & trumps; t4 = t3 ? t3 : t1; t5 = t2 ? t2 : t4; t6 = led ? t5 : t1; t7 = t6 & trumps; t8 = t7 & rising; t9 = t8 ? t8 : t6; legal = t9",
    "t0 = hand & led; t1 = t0 ? t0 : hand; t2 = t1 & led; t3 = t1 & trumps; t4 = t3 ? t3 : t1; t5 = t2 ? t2 : t4; t6 = led ? t5 : t1; t7 = t6 & led; t8 = t7 & trumps; t9 = t8 & rising; t10 = t9 ? t9 : t6; legal = t10",
    "t0 = first & 1; t1 = hand & 1; t2 = t1 ? t1 : hand; t3 = t0 ? t2 : hand; t4 = ~broken; t5 = t4 & 1; t6 = t3 & -549688705025; t7 = t6 ? t6 : t3; t8 = t5 ? t7 : t3; t9 = t8 & -563499642126337; t10 = t9 ? t9 : t8; t11 = first ? t10 : t8; legal = t11",
    "t5 = hand & led; t6 = t5 ? t5 : hand; t7 = t6 & -563499642126337; t8 = t7 ? t7 : t6; t9 = first ? t8 : t6; legal = t9",
    "t0 = first & 1; t1 = hand & 8191; t2 = t1 ? t1 : hand; t3 = t0 ? t2 : hand; t4 = ~broken; t5 = t4 & 1; t6 = t3 & -549688705025; t7 = t6 ? t6 : t3; t8 = t5 ? t7 : t3; t9 = t8 & -563499642126337; t10 = t9 ? t9 : t8; t11 = first ? t10 : t8; legal = t11",
    "t0 = first & 1; t1 = hand & 1; t2 = t1 ? t1 : hand; t3 = t0 ? t2 : hand; t4 = ~broken; t5 = t4 & 1; t6 = t3 & -563499642126337; t7 = t3 & -549688705025; t8 = t6 ? t7 : t3; t9 = t5 ? t8 : t3; t10 = t9 & -563499642126337; t11 = t10 ? t10 : t9; t12 = first ? t11 : t9; legal = t12",
    "t6 = hand & led; t7 = t6 ? t6 : hand; t8 = t7 & -563499642126337; t9 = t8 ? t8 : t7; t10 = first ? t9 : t7; legal = t10",
    "t0 = first & 1; t1 = hand & 1; t2 = t1 ? t1 : hand; t3 = t0 ? t2 : hand; t4 = t3 & -563499642126337; t5 = t4 ? t4 : t3; t6 = first ? t5 : t3; legal = t6",
    "t2 = hand & led; t3 = t2 ? t2 : hand; t4 = t3 & -563499642126337; t5 = t4 ? t4 : t3; t6 = first ? t5 : t3; legal = t6",
    "t0 = first & 1; t1 = hand & 1; t2 = t1 ? t1 : hand; t3 = t0 ? t2 : hand; t4 = ~broken; t5 = t4 & 1; t6 = t3 & -549688705025; t7 = t6 ? t6 : t3; t8 = t5 ? t7 : t3; legal = t8",
    "t5 = hand & led; t6 = t5 ? t5 : hand; legal = t6",
    "t0 = hand & led; t1 = t0 ? t0 : hand; t2 = lead & 9007199254740992; t3 = t1 & trumps; t4 = highest(t3); t5 = t4 ? t4 : t1; t6 = t2 ? t5 : t1; legal = t6",
};
