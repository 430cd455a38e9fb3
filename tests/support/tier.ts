/** What the short tier takes of a matrix: every row and, by turns, every case. The long tier has each row with each case. */

const isLong = process.env.TIER === 'long'

/**
 * All cases in the long tier, else some of them.
 * @param turn of the row: the next row has the next cases
 * @param count of the cases of one row in the short tier
 */
export const casesInTier = <Case>(cases: readonly Case[], turn: number, count: number): readonly Case[] =>
  isLong || count >= cases.length
    ? cases
    : Array.from({ length: count }, (_, at) => cases[(turn * count + at) % cases.length]!)

/** Each case with its rows: all of them in the long tier, else those whose turn it is. */
export const rowsInTier = <Row, Case>(rows: Row[], cases: readonly Case[], count: number): [Case, Row[]][] =>
  cases.map(one => [one, rows.filter((_, turn) => casesInTier(cases, turn, count).includes(one))])

/** A number of its own for each tier, as of rounds. */
export const inTier = (numbers: { short: number; long: number }): number => (isLong ? numbers.long : numbers.short)
