/* Counts the solutions of the n-queens problem with bit masks and mirror symmetry: count N prints S(N), for N from 1 to 31.
 * The rival of `bitboard`, as plain as one writes it: cc -O3 -march=native -o count count.c */

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint32_t all;

static uint64_t place(uint32_t columns, uint32_t rising, uint32_t falling)
{
    if (columns == all)
        return 1;
    uint64_t solutions = 0;
    for (uint32_t free = all & ~(columns | rising | falling); free; free &= free - 1) {
        uint32_t queen = free & -free;
        solutions += place(columns | queen, (rising | queen) << 1, (falling | queen) >> 1);
    }
    return solutions;
}

static uint64_t count(unsigned n)
{
    all = (UINT32_C(1) << n) - 1;
    if (n == 1)
        return 1;
    uint64_t half = 0;
    for (unsigned column = 0; column < n / 2; column++) {
        uint32_t queen = UINT32_C(1) << column;
        half += place(queen, queen << 1, queen >> 1);
    }
    if (n % 2 == 1) {
        /* The first queen in the middle: the second in the lower half. */
        uint32_t first = UINT32_C(1) << n / 2;
        for (uint32_t free = (first - 1) & ~(first >> 1); free; free &= free - 1) {
            uint32_t queen = free & -free;
            half += place(first | queen, (first << 1 | queen) << 1, (first >> 1 | queen) >> 1);
        }
    }
    return 2 * half;
}

int main(int argc, char **argv)
{
    unsigned long n = argc == 2 ? strtoul(argv[1], NULL, 10) : 0;
    if (n < 1 || n > 31) {
        fprintf(stderr, "usage: count N, with N from 1 to 31\n");
        return 2;
    }
    printf("%" PRIu64 "\n", count((unsigned)n));
    return 0;
}
