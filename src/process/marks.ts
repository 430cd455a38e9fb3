/** Marks at the steps of a call, for `npm run bench -- --steps`. Off, a mark is the call of an empty function. */
export type Mark = (step: string) => void

const off: Mark = () => {}

/** Ends a step: what has passed since the mark before belongs to it. */
export let mark: Mark = off

/** Sends every mark to `record`. */
export function recordMarks(record: Mark) {
  mark = record
}
