/** The interfaces between the streams of a wire format and canonical events. */
import type { ApiError, StreamEvent } from './canonical/chat.ts'
import type { MadeObject } from './stored-places.ts'

/** Turns the events of one stream into canonical events. */
export interface EventReader {
  /** @param data of one event, as text */
  read(data: string): StreamEvent[]
  /**
   * Reads the event between two indexes of `data`, if it adds text to the part that the event before added to.
   * @returns undefined for any other event, which is not read
   */
  skim?(data: string, from: number, to: number): TextDelta | undefined
  /** @returns the events after the last bytes, in formats without an end marker */
  end(): StreamEvent[]
  /** @returns the last events of a response that fails after those that were read; absent where they do not depend on those */
  fail?(error: ApiError): string
  /** @returns what the events so far name as made for the response. @param is_stored the upstream keeps its items */
  made?(is_stored: boolean): readonly MadeObject[]
}

export interface TextDelta {
  kind: 'delta'
  choice: number
  part: number
  delta: { text: string }
}

/** Turns canonical events into one stream. */
export interface EventWriter {
  /** @returns empty while the event waits for others */
  write(event: StreamEvent): string
}
