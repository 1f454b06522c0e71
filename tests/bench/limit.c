#include <stdint.h>

static const uint64_t SUIT = (1u << 13) - 1;

/* Deals of four hands of 13; card = suit * 13 + rank. Winners of all tricks; the place of the first illegal play, 52 none. */
void judge(long n, const uint64_t *hands, const uint8_t *plays, const int8_t *leader, const int8_t *trump,
           uint8_t *winners, uint8_t *illegal) {
    for (long d = 0; d < n; d++) {
        uint64_t held[4];
        for (int s = 0; s < 4; s++) held[s] = hands[4 * d + s];
        int seat = leader[d], wrong = 52;
        uint64_t trumps = trump[d] < 0 ? 0 : SUIT << 13 * trump[d];
        for (int t = 0; t < 13; t++) {
            uint64_t led = 0, rising = ~0ull;
            int winner = seat;
            for (int k = 0; k < 4; k++, seat = (seat + 1) & 3) {
                int place = 4 * t + k, card = plays[52 * d + place];
                uint64_t bit = 1ull << card;
                uint64_t suit = SUIT << card / 13 * 13;
                uint64_t legal = held[seat] & led ? held[seat] & led : held[seat];
                if (!(legal & bit) && wrong == 52) wrong = place;
                held[seat] &= ~bit;
                if (!k) led = suit;
                if (rising & bit) {
                    winner = seat;
                    rising = (suit & ~(bit | (bit - 1))) | (suit == trumps ? 0 : trumps);
                }
            }
            winners[13 * d + t] = seat = winner;
        }
        illegal[d] = wrong;
    }
}

/* The rest: all that the sieve looks at in such deals. */

enum { CLEAN, REFERRED, REVOKED, TRUMP, WINNER, TRICKS };
typedef struct {
    const int64_t *hands;
    const uint8_t *plays, *leaders, *kinds, *guesses, *said_winners;
    const int8_t *dealer, *leader, *declarer;
    const int16_t *contract, *said_trump, *said_tricks;
    const int8_t *strain, *said_strain; /* suit of each contract and of each claim of trump, -1 none */
    long contracts, said_trumps, words;
} Columns;
typedef struct {
    uint8_t *fault;
    int16_t *trick;
    int8_t *seat;
    uint8_t *winners;
    int16_t *tricks;
} Found;

static int is_seat(int seat) { return seat >= -1 && seat < 4; }

static int in_order(const Columns *in, long d) {
    if (!is_seat(in->dealer[d]) || !is_seat(in->leader[d]) || !is_seat(in->declarer[d])) return 0;
    if (in->contract[d] < 0 || in->contract[d] >= in->contracts) return 0;
    if (in->said_trump[d] < -1 || in->said_trump[d] >= in->said_trumps) return 0;
    int64_t held = 0;
    for (int s = 0; s < 4; s++) {
        int64_t hand = in->hands[4 * d + s];
        int guess = in->guesses[4 * d + s];
        if (__builtin_popcountll(hand) != 13 || hand & held) return 0;
        if (in->kinds[4 * d + s] >= in->words || (guess >= 52 && guess != 255)) return 0;
        held |= hand;
    }
    return held == (1ll << 52) - 1;
}

/* The seat that leads first: by the declarer, else as stated, else as it happened; -1 if nothing tells, or they differ. */
static int first_leader(const Columns *in, long d) {
    int stated = in->leader[d], said = in->leaders[13 * d];
    int lead = in->declarer[d] >= 0 ? (in->declarer[d] + 1) & 3 : stated >= 0 ? stated : said < 4 ? said : -1;
    return stated >= 0 && stated != lead ? -1 : lead;
}

/* Plays a deal; the trick and seat of the first revoke, if any. 0 if there was a card not held, or a turn not kept. */
static int play(const Columns *in, Found *out, long d, int lead, int *trick, int *revoker) {
    const uint8_t *plays = in->plays + 52 * d, *leaders = in->leaders + 13 * d;
    uint64_t held[4], trumps = in->strain[in->contract[d]] < 0 ? 0 : SUIT << 13 * in->strain[in->contract[d]];
    for (int s = 0; s < 4; s++) held[s] = in->hands[4 * d + s], out->tricks[4 * d + s] = 0;
    *trick = 0, *revoker = -1;
    for (int t = 0, seat = lead; t < 13; t++) {
        if (leaders[t] != seat && leaders[t] != 255) return 0;
        uint64_t led = 0, rising = ~0ull;
        int winner = seat;
        for (int k = 0; k < 4; k++, seat = (seat + 1) & 3) {
            int card = plays[4 * t + k];
            if (card >= 52) return 0;
            uint64_t bit = 1ull << card, suit = SUIT << card / 13 * 13;
            if (!(held[seat] & bit)) return 0;
            if (!(led & bit) && held[seat] & led && !*trick) *trick = t + 1, *revoker = seat;
            held[seat] &= ~bit;
            if (!k) led = suit;
            uint64_t above = (suit & ~(bit | (bit - 1))) | (suit == trumps ? 0 : trumps);
            int64_t higher = -(int64_t)(rising >> card & 1); /* by bits: a branch here is guessed wrong too often */
            winner ^= (winner ^ seat) & higher;
            rising ^= (rising ^ above) & higher;
        }
        out->winners[13 * d + t] = seat = winner;
        out->tricks[4 * d + winner]++;
    }
    return 1;
}

/* Whether claims are of seats at all. */
static int claimable(const uint8_t *seats) {
    for (int t = 0; t < 13; t++)
        if (seats[t] >= 4 && seats[t] != 255) return 0;
    return 1;
}

/* The first fault of a deal: its kind, trick and seat. */
static int judged(const Columns *in, Found *out, long d, int *trick, int *seat) {
    *trick = 0, *seat = -1;
    if (!in_order(in, d) || !claimable(in->said_winners + 13 * d)) return REFERRED;
    int lead = first_leader(in, d), in_trick, revoker;
    if (lead < 0 || !play(in, out, d, lead, &in_trick, &revoker)) return REFERRED;
    if (in_trick) return *trick = in_trick, *seat = revoker, REVOKED;
    if (in->said_trump[d] >= 0 && in->said_strain[in->said_trump[d]] != in->strain[in->contract[d]]) return TRUMP;
    for (int t = 0; t < 13; t++) {
        int said = in->said_winners[13 * d + t];
        if (said != 255 && said != out->winners[13 * d + t]) return *trick = t + 1, *seat = said, WINNER;
    }
    for (int s = 0; s < 4; s++) {
        int said = in->said_tricks[4 * d + s];
        if (said >= 0 && said != out->tricks[4 * d + s]) return *seat = s, TRICKS;
    }
    return CLEAN;
}

/* All that the sieve looks at in such deals. */
void sift(long n, const Columns *in, Found *out) {
    for (long d = 0; d < n; d++) {
        int trick, seat;
        out->fault[d] = judged(in, out, d, &trick, &seat);
        out->trick[d] = trick;
        out->seat[d] = seat;
    }
}
