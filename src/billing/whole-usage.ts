/** The counts of a usage are whole numbers from 0 on. */
import { buckets, countOf, type Usage } from './usage.ts'

/** @returns the counts that are something else, with their names; none of nearly every usage */
export function wrongCounts(usage: Usage): string[] {
  const wrong: string[] = []
  const check = (name: string, count: number | undefined) => {
    if (count !== undefined && countOf(count) !== count) wrong.push(`${name} is ${count}`)
  }
  for (const bucket of buckets) check(bucket, usage[bucket])
  check('reasoning', usage.reasoning)
  check('calls', usage.calls)
  for (const tool in usage.tools) check(tool, usage.tools[tool])
  for (const part of usage.by_tier?.values() ?? []) wrong.push(...wrongCounts(part))
  return wrong
}

/** The counts as a bill counts them. */
export function wholeUsage(usage: Usage): Usage {
  const whole: Usage = { ...usage, reasoning: countOf(usage.reasoning), tools: {} }
  for (const bucket of buckets) whole[bucket] = countOf(usage[bucket])
  if (usage.calls !== undefined) whole.calls = countOf(usage.calls)
  for (const tool in usage.tools) whole.tools[tool] = countOf(usage.tools[tool])
  if (usage.by_tier) whole.by_tier = new Map(Array.from(usage.by_tier, ([tier, part]) => [tier, wholeUsage(part)]))
  return whole
}
