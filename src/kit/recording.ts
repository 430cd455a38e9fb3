/** How long a recording is. */

/** Where nothing else is known: what speech mostly takes, and the least and most that any format does. */
const USUAL_BYTES_PER_SECOND = 16_000
const MOST_BYTES_PER_SECOND = 1_200_000

interface Recording {
  content: ReadableStream<Uint8Array>
  size: number
  type: string
  filename: string
}

/** Seconds, by what the file says of itself, else by its size. Never throws: what cannot be read can still be heard. */
export async function secondsOf({ content, size, type, filename }: Recording): Promise<number> {
  const { parseWebStream } = await import('music-metadata')
  const info = { size, path: filename, ...(type.includes('/') && { mimeType: type }) }
  const told = await parseWebStream(content, info, { duration: true, skipCovers: true }).then(
    ({ format }) => format.duration,
    () => undefined,
  )
  await content.cancel().catch(() => {})
  const least = size / MOST_BYTES_PER_SECOND
  return told !== undefined && Number.isFinite(told) && told >= least
    ? told
    : Math.max(least, size / USUAL_BYTES_PER_SECOND)
}
