// @engine sqlite
/** How long a recording is that was not made to be heard. */
import { expect, spyOn, test } from 'bun:test'
import { secondsOf } from '../../src/formats/media/audio-duration.ts'
import { stopwatch } from '../../src/process/clock.ts'

/** As much of one byte as anybody asks for. */
function endless(byte: number) {
  let taken = 0
  const content = () =>
    new ReadableStream<Uint8Array>({
      pull(controller) {
        taken++
        controller.enqueue(new Uint8Array(65_536).fill(byte))
      },
    })
  return { content, taken: () => taken }
}

test.each([
  ['a.mp3', 'audio/mpeg', 0xff],
  ['a.wav', 'audio/wav', 0],
  ['a', '', 0x1a],
])('audio duration: %s that takes too long to parse is estimated from its size', async (filename, type, byte) => {
  let at = 0
  const clock = spyOn(performance, 'now').mockImplementation(() => (at += 1000))
  const { content, taken } = endless(byte)
  expect(await secondsOf({ content, size: 160_000, type, filename, elapsed: stopwatch() })).toBe(160)
  expect(taken()).toBeLessThan(100)
  clock.mockRestore()
})
