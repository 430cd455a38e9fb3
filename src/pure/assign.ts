/** Copies fields onto an object, which costs a third of a spread. For objects that each call makes. */
export function assign<T extends object>(target: T, more: Partial<T> | undefined): T {
  for (const name in more) target[name] = more[name]!
  return target
}
