/** Reads long lists in batches: each query starts behind the last row of the one before, so that memory stays flat. */

/** Small enough that a batch and its CSV delay no call. */
const BATCH_ROWS = 100

/** @param read the next rows behind `last`, at most `size` of them, in one order */
export async function* batchesOf<Row>(
  read: (last: Row | undefined, size: number) => PromiseLike<Row[]>,
): AsyncGenerator<Row[]> {
  let last: Row | undefined
  do {
    const rows = await read(last, BATCH_ROWS)
    yield rows
    last = rows.length === BATCH_ROWS ? rows.at(-1) : undefined
  } while (last)
}
