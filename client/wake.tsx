import type { ComponentType } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { type Sentences, speak } from '../src/locales/speak.ts'
import { islands, type Listed } from './islands.ts'
import { Live } from './live.tsx'
import type { ReaderFacts } from './parts/reader.tsx'
import { queryClient } from './query.ts'

export interface Waking {
  /** The server has sent other props. */
  update(): void
  end(): void
}

const listed: Record<string, Listed> = islands

/** Makes live what the server has drawn. */
export async function wake(place: HTMLElement): Promise<Waking> {
  const { default: Component } = await listed[place.getAttribute('name')!]!.load()
  const facts = read<ReaderFacts>(place, 'reader')
  const reader = { ...facts, t: speak(facts.language, read<Sentences>(place, 'words')) }
  const drawn = () => draw(Component, reader, read(place, 'props'))
  const root = hydrateRoot(place, drawn(), { identifierPrefix: place.id, onRecoverableError: redrawn })
  return { update: () => root.render(drawn()), end: () => root.unmount() }
}

/** The page changed between the drawing and the waking: React has drawn the island anew, and nobody loses by it. */
const redrawn = () => undefined

const draw = (Component: ComponentType<object>, reader: Parameters<typeof Live>[0]['reader'], props: object) => (
  <Live reader={reader} client={queryClient}>
    <Component {...props} />
  </Live>
)

const read = <T,>(place: HTMLElement, name: string): T => JSON.parse(place.getAttribute(name)!)
