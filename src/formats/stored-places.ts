/** Finds the ids in a request under which upstreams store something: each format declares where they stand. */
import type { Json } from '../pure/json.ts'
import { type Flaw, isAbsent, wrong } from './json/checks.ts'

/** What upstreams store under ids of their own. */
export type StoredKind =
  | 'response'
  | 'item'
  | 'conversation'
  | 'prompt'
  | 'thread'
  | 'cached_content'
  | 'file'
  | 'container'
  | 'vector_store'
  | 'skill'
  | 'audio'
  | 'voice'
  | 'tunnel'

/**
 * What becomes of a call without the object: `needed`: nothing. `optional`: upstreams of other formats do without it.
 * `echo`: it stands in full beside its id, which only must not be another user's.
 */
export type StoredUse = 'needed' | 'optional' | 'echo'

export interface StoredReference {
  kind: StoredKind
  id: string
  /** The field of the body that names it, or holds what does. */
  param: string
  use: StoredUse
}

/** What a response names as made for it. */
export interface MadeObject {
  kind: StoredKind
  id: string
  /** An item that holds what a tool of the upstream has read. */
  has_result?: true
}

export interface StoredPlace {
  kind: StoredKind
  /** Path of the id in the body. Lists on the way are not named; `*` is a field of any name, `[]` a list of ids. */
  at: string
  /** @returns undefined where the text is no id of something stored; `needed` unless declared */
  use?(id: string, beside: Json): StoredUse | undefined
}

export interface FoundReferences {
  stored?: StoredReference[]
  /** An id of another type would reach the upstream without its owner being checked. */
  id_flaw?: Flaw
}

interface PathNode {
  place?: StoredPlace
  takes_list: boolean
  names: string[]
  /** In the order of the names. */
  nodes: PathNode[]
  /** Node of every name. */
  any?: PathNode
}

interface PathOptions {
  /** Paths that hold the same as others, to any depth. */
  same?: Record<string, string>
  /** Every spelling of a name. */
  spellings?(name: string): string[]
}

const LIST = '[]'
const ANY = '*'

/** @returns a reader of the ids in a body, which costs a look at each declared field */
export function storedPlaces(places: readonly StoredPlace[], options: PathOptions = {}) {
  const root = rootOf(places, options)
  return (body: Json): FoundReferences => {
    const found: FoundReferences = {}
    collect(body, root, body, found)
    return found
  }
}

/** Runs over every call: it looks at declared fields alone, and allocates nothing where no id stands. */
function collect(value: unknown, node: PathNode, beside: Json, found: FoundReferences) {
  const { place, names, nodes, any } = node
  if (typeof value === 'string') {
    if (place) add(value, place, beside, found)
  } else if (typeof value !== 'object' || value === null) {
    if (place && !place.use && !isAbsent(value)) found.id_flaw ??= wrong(place.at)
  } else if (Array.isArray(value)) {
    if (place && !place.use && !node.takes_list) found.id_flaw ??= wrong(place.at)
    for (let at = 0; at < value.length; at++) collect(value[at], node, beside, found)
  } else {
    if (place && !place.use && !names.length) found.id_flaw ??= wrong(place.at)
    const object = value as Json
    for (let at = 0; at < names.length; at++) {
      const inner = object[names[at]!]
      if (inner !== undefined) collect(inner, nodes[at]!, object, found)
    }
    if (any) for (const name in object) collect(object[name], any, object, found)
  }
}

function add(id: string, { kind, at, use }: StoredPlace, beside: Json, found: FoundReferences) {
  const used = use ? use(id, beside) : 'needed'
  if (!used) return
  found.stored ??= []
  found.stored.push({ kind, id, param: at.split('.', 1)[0]!.replace(LIST, ''), use: used })
}

function rootOf(places: readonly StoredPlace[], { same = {}, spellings = name => [name] }: PathOptions): PathNode {
  const newNode = (): PathNode => ({ takes_list: false, names: [], nodes: [] })
  const root = newNode()
  const below = (node: PathNode, name: string, make = newNode): PathNode => {
    if (name === ANY) {
      node.any ??= make()
      return node.any
    }
    const known = node.nodes[node.names.indexOf(name)]
    if (known) return known
    const made = make()
    for (const spelling of spellings(name)) {
      node.names.push(spelling)
      node.nodes.push(made)
    }
    return made
  }
  const nodeAt = (path: string) => path.split('.').reduce((node, name) => (name ? below(node, name) : node), root)
  for (const [path, target] of Object.entries(same)) {
    const [, above = '', name = path] = /^(.*)\.([^.]+)$/.exec(path) ?? []
    below(nodeAt(above), name, () => nodeAt(target))
  }
  for (const place of places) {
    const node = nodeAt(place.at.replace(LIST, ''))
    node.place = place
    node.takes_list = place.at.endsWith(LIST)
  }
  return root
}
