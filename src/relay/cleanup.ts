/** What a call holds until it ends: slots, quota, files of a form, the state of its connection. */
import { DONE } from '../pure/awaitable.ts'

type Resource = Disposable | AsyncDisposable

/** Frees what was taken, the last first, once. An AsyncDisposableStack does the same at the cost of a step of the call. */
export class Cleanup {
  #resources: Resource[] = []

  use<T extends Resource>(resource: T): T {
    this.#resources.push(resource)
    return resource
  }

  defer(work: () => void) {
    this.#resources.push({ [Symbol.dispose]: work })
  }

  /** Hands everything over: this one frees nothing any more. */
  move(): Cleanup {
    const moved = new Cleanup()
    moved.#resources = this.#resources
    this.#resources = []
    return moved
  }

  /** @throws the last error, once everything is freed */
  free(): Promise<void> {
    const resource = this.#resources.pop()
    if (!resource) return DONE
    const freed = dispose(resource)
    return freed === DONE ? this.free() : freed.finally(() => this.free())
  }
}

function dispose(resource: Resource): Promise<void> {
  try {
    if (Symbol.asyncDispose in resource) return resource[Symbol.asyncDispose]() as Promise<void>
    resource[Symbol.dispose]()
    return DONE
  } catch (error) {
    return Promise.reject(error)
  }
}
