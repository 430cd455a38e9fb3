/**
 * Values that are mostly known at once. An async function costs a promise, a generator and scopes even where it waits for
 * nothing, so that the steps of every call return what they know as it is.
 */

export type Awaitable<T> = T | Promise<T>

/** What `next` makes of a value: at once where the value is known. */
export const chain = <T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> =>
  value instanceof Promise ? value.then(next) : next(value)

/** Nothing is waited for. */
export const DONE: Promise<void> = Promise.resolve()
