/** Framings of streams other than server-sent events, each turned into server-sent events of JSON. */
import { AwsEventStream, type BrokenFrame, type StreamException } from './aws-event-stream.ts'
import { Ndjson } from './ndjson.ts'
import { RawSse } from './raw-sse.ts'

/** Cuts bytes in chunks of any size into frames. */
export interface Deframer {
  /** @returns the frames that are complete now as events; undefined when there is none. @throws BrokenFrame */
  push(chunk: Buffer): Buffer<ArrayBuffer> | undefined
  /** Why nothing can be read after the frames that were returned last. */
  readonly broken?: BrokenFrame
  /** Bytes of the incomplete frame. */
  readonly pending: number
  /** @returns what the end of the stream completes */
  end(): Buffer<ArrayBuffer> | undefined
}

export { BrokenFrame } from './aws-event-stream.ts'

export type FramingName = keyof typeof framings

const framings = {
  ndjson: () => new Ndjson(),
  aws_event_stream: writeException => new AwsEventStream(writeException),
  raw_sse: () => new RawSse(),
} satisfies Record<string, (writeException?: WriteException) => Deframer>

type WriteException = (exception: StreamException) => object

/** @param writeException gives the event of a frame that is an exception */
export const deframer = (name: FramingName, writeException?: WriteException): Deframer => framings[name](writeException)

const types: [RegExp, FramingName][] = [
  [/^application\/(?:x-)?(?:ndjson|jsonl|json-lines)\b/i, 'ndjson'],
  [/^application\/vnd\.amazon\.eventstream\b/i, 'aws_event_stream'],
]

/** The framing that a media type names. */
export const framingOf = (type: string): FramingName | undefined => types.find(([pattern]) => pattern.test(type))?.[1]
