/**
 * The thread on which Bun sends requests. Where it shares a core with the thread that serves calls, it interrupts that one
 * at each request and each piece of a response. Under Linux's policy `SCHED_BATCH` it has the same share of the processor,
 * but waits until the other pauses, which saves a quarter of the CPU of a call (docs/speed.md). On a core of its own
 * nothing changes. https://man7.org/linux/man-pages/man7/sched.7.html
 */
import { readdirSync, readFileSync } from 'node:fs'
import { log, reason } from './log.ts'

const SCHED_BATCH = 3
const THREAD = 'HTTP Client'
/** glibc's, and musl's. */
const C_LIBRARIES = ['libc.so.6', `libc.musl-${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}.so.1`]
const LOOKS_MAX = 50
const LOOK_EVERY_MS = 20

let isSet = process.platform !== 'linux'

/** To be called before a request: the first one starts the thread. */
export function runHttpThreadInBatches() {
  if (isSet) return
  isSet = true
  void setPolicy()
}

async function setPolicy() {
  try {
    const thread = await startedThread()
    const { sched_setscheduler } = (await cLibrary()).symbols
    if (sched_setscheduler(thread, SCHED_BATCH, new Int32Array([0])) !== 0) throw new Error('refused')
  } catch (error) {
    log.debug('the thread of outgoing requests keeps its scheduling policy', { reason: reason(error) })
  }
}

/** @returns the id of the thread */
async function startedThread(): Promise<number> {
  for (let look = 0; look < LOOKS_MAX; look++) {
    await Bun.sleep(LOOK_EVERY_MS)
    const found = readdirSync('/proc/self/task').find(isHttpThread)
    if (found) return Number(found)
  }
  throw new Error('it has not started')
}

const isHttpThread = (id: string) => readFileSync(`/proc/self/task/${id}/comm`, 'utf8').trim() === THREAD

async function cLibrary() {
  const { dlopen } = await import('bun:ffi')
  const open = (name: string) =>
    dlopen(name, { sched_setscheduler: { args: ['i32', 'i32', 'ptr'], returns: 'i32' } } as const)
  try {
    return open(C_LIBRARIES[0]!)
  } catch {
    return open(C_LIBRARIES[1]!)
  }
}
