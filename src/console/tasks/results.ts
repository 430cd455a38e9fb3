/** What tasks were asked for and what they have made: JSON of clients and upstreams, read field by field. */
import { z } from 'zod'
import type { Json } from '../../pure/json.ts'

const text = z.string().catch('')
const number = z.number().catch(0)
const object = z.looseObject({}).catch({})
/** Only what a browser may load. */
const url = z
  .string()
  .regex(/^https?:\/\//i)
  .catch('')

const Input = z
  .object({ prompt: text, gpt_description_prompt: text, title: text, tags: text, state: text })
  .partial()
  .catch({})

/** The prompt; of a song without one its title and style. */
export function promptIn(input: Json): string {
  const { prompt, gpt_description_prompt, title, tags } = Input.parse(input)
  return prompt || gpt_description_prompt || [title, tags].filter(Boolean).join(' · ')
}

/** The mark of the client. */
export const stateIn = (input: Json): string => Input.parse(input).state ?? ''

const Button = z.object({ label: text, emoji: text, customId: text })

const DrawingResult = z
  .object({
    prompt: text,
    promptEn: text,
    description: text,
    imageUrl: url,
    videoUrl: url,
    videoUrls: z.array(z.object({ url })).catch([]),
    /** Addresses of what was uploaded. */
    urls: z
      .array(url)
      .catch([])
      .transform(urls => urls.filter(Boolean)),
    buttons: z.array(z.unknown()).catch([]),
    properties: object,
  })
  .catch(() => empty)
const empty = {
  ...{ prompt: '', promptEn: '', description: '', imageUrl: '', videoUrl: '' },
  ...{ videoUrls: [], urls: [], buttons: [], properties: {} },
}

export const drawingIn = (result: unknown) => DrawingResult.parse(result ?? {})
type DrawingIn = ReturnType<typeof drawingIn>

/** Names of the buttons below a drawing, such as `U1`. */
export const buttonNames = ({ buttons }: DrawingIn): string[] =>
  buttons.flatMap(button => {
    const { success, data } = Button.safeParse(button)
    const name = success ? data.label || data.emoji : ''
    return name ? [name] : []
  })

/** Address of the maker; empty for none. */
export const videoUrlIn = ({ videoUrl, videoUrls }: DrawingIn): string => videoUrl || (videoUrls[0]?.url ?? '')

/** The code of the answer to a submit; 0 without one. */
export const codeIn = (answer: Json | null): number => z.number().int().catch(0).parse(answer?.code)

const SongResult = z
  .object({
    title: text,
    metadata: z.object({ duration: number, tags: text, prompt: text }).catch({ duration: 0, tags: '', prompt: '' }),
  })
  .catch({ title: '', metadata: { duration: 0, tags: '', prompt: '' } })

/** Songs without the addresses of their files, which are numbered by their place here. */
export const songsIn = (result: unknown) =>
  (Array.isArray(result) ? result : [])
    .filter(item => typeof item === 'object' && item !== null && !Array.isArray(item))
    .map(item => {
      const { title, metadata } = SongResult.parse(item)
      return { title, seconds: metadata.duration, tags: metadata.tags, words: metadata.prompt }
    })

const Lyrics = z.object({ title: text, text: z.string().min(1) })

/** @returns undefined for what is no text */
export const lyricsIn = (result: unknown) => Lyrics.safeParse(result).data

/** JSON to read; of files in it, their types alone. */
export const rawText = (result: unknown): string =>
  JSON.stringify(
    result,
    (_, value) =>
      typeof value === 'string' && /^data:/i.test(value) ? `${value.slice(0, value.indexOf(',') + 1)}…` : value,
    2,
  )
