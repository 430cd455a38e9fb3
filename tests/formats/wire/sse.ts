/** Streams as they are on the wire. */
import { asBuffer, dataIn, EventCutter, toBytes } from '../../../src/stream/sse.ts'

export type Json = Record<string, unknown>

export const features = ['text', 'tools', 'image', 'schema', 'thinking', 'stop'] as const
export type Feature = (typeof features)[number]

/** What clients and upstreams of one format say, for each feature: the same in every format. */
export interface Wire {
  requests: Record<Feature, Json>
  /** What is known from the address alone. */
  asked?: { model: string; stream: boolean }
  answers: Record<Feature, Json>
  streams: Record<Feature, string>
  errors: { status: number; body: Json; stream: string }
}

export const unnamed = (events: unknown[]): string => events.map(event => `data: ${JSON.stringify(event)}\n\n`).join('')

export const named = (events: Json[]): string =>
  events.map(event => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')

/** The data of every event, whatever pieces they come in. */
export function dataOfAll(pieces: Iterable<Uint8Array<ArrayBuffer>>): string[] {
  const cutter = new EventCutter()
  const whole = [...pieces].flatMap(piece => cutter.push(asBuffer(piece)) ?? [])
  if (cutter.rest) whole.push(toBytes(`${cutter.rest}\n\n`))
  return whole.flatMap(events => [...dataIn(events)])
}

export const eventsOfText = (text: string): string[] => dataOfAll([new TextEncoder().encode(text)])

export const picture =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

export const citySchema = {
  type: 'object',
  properties: { city: { type: 'string', description: 'A city' } },
  required: ['city'],
  additionalProperties: false,
}
/** Without the word that Gemini does not know. */
export const { additionalProperties: _, ...openCitySchema } = citySchema

export const answerSchema = {
  type: 'object',
  properties: { answer: { type: 'integer' }, sure: { type: 'boolean' } },
  required: ['answer', 'sure'],
  additionalProperties: false,
}
export const { additionalProperties: __, ...openAnswerSchema } = answerSchema
