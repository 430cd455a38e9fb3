/** Conversations and system prompts in the browser's IndexedDB, one database for each user. */
import { PLAYGROUND_DATABASE } from '../../src/contracts/playground.ts'
import type { PlaygroundConversation, Settings } from './conversation.ts'

export interface SavedPrompt {
  id: string
  text: string
}

export interface StoredPlayground {
  conversations: PlaygroundConversation[]
  prompts: SavedPrompt[]
  settings: Settings | undefined
}

type StoreName = 'conversations' | 'prompts' | 'settings'

const stores: StoreName[] = ['conversations', 'prompts', 'settings']
const VERSION = 1

/** The only row of `settings`. */
const LAST = 'last'

/** Nothing is kept where the browser refuses storage, as in private windows of some browsers. */
export class PlaygroundDatabase {
  #opened?: Promise<IDBDatabase>

  constructor(readonly user_id: number) {}

  async load(): Promise<StoredPlayground> {
    const [conversations, prompts, settings] = await Promise.all([
      this.#all<PlaygroundConversation>('conversations'),
      this.#all<SavedPrompt>('prompts'),
      this.#all<Settings>('settings'),
    ])
    return { conversations, prompts, settings: settings[0] }
  }

  keep = (conversation: PlaygroundConversation) => this.#write('conversations', store => store.put(conversation))
  drop = (id: string) => this.#write('conversations', store => store.delete(id))
  keepPrompt = (prompt: SavedPrompt) => this.#write('prompts', store => store.put(prompt))
  dropPrompt = (id: string) => this.#write('prompts', store => store.delete(id))
  keepSettings = (settings: Settings) => this.#write('settings', store => store.put({ ...settings, id: LAST }))

  close() {
    this.#opened?.then(
      database => database.close(),
      () => {},
    )
    this.#opened = undefined
  }

  #open(): Promise<IDBDatabase> {
    const request = indexedDB.open(PLAYGROUND_DATABASE + this.user_id, VERSION)
    request.onupgradeneeded = () => {
      for (const name of stores) request.result.createObjectStore(name, { keyPath: 'id' })
    }
    return resultOf(request).then(database => {
      // A sign-out in another tab deletes the database.
      database.onversionchange = () => database.close()
      return database
    })
  }

  async #store(name: StoreName, mode: IDBTransactionMode): Promise<IDBObjectStore> {
    this.#opened ??= this.#open()
    return (await this.#opened).transaction(name, mode).objectStore(name)
  }

  async #all<Row>(name: StoreName): Promise<Row[]> {
    return resultOf<Row[]>((await this.#store(name, 'readonly')).getAll())
  }

  async #write(name: StoreName, write: (store: IDBObjectStore) => IDBRequest): Promise<void> {
    await resultOf(write(await this.#store(name, 'readwrite')))
  }
}

function resultOf<Result>(request: IDBRequest<Result>): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>()
  request.onsuccess = () => resolve(request.result)
  request.onerror = () => reject(request.error)
  return promise
}
