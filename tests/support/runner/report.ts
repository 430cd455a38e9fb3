/** The counts of each file in a report of `bun test`. */
import { testOf } from './entry.ts'

export type FileReport = { passed: number; failed: number; seconds: number }

/** By absolute path. A file is absent when it has no test, cannot be loaded or throws between its tests. */
export type Report = Map<string, FileReport>

/** Skipped tests count as failed: a test that does not run shows nothing. @returns an empty map when there is no report */
export async function readReport(path: string): Promise<Report> {
  const xml = (await Bun.file(path).exists()) ? await Bun.file(path).text() : ''
  // Indented deeper are the groups of tests inside a file.
  const suites = xml.match(/^ {2}<testsuite .*>$/gm) ?? []
  return new Map(suites.map(suite => [testOf(attribute(suite, 'file')), countsOf(suite)]))
}

function countsOf(suite: string): FileReport {
  const failed = Number(attribute(suite, 'failures')) + Number(attribute(suite, 'skipped'))
  return { passed: Number(attribute(suite, 'tests')) - failed, failed, seconds: Number(attribute(suite, 'time')) }
}

const attribute = (tag: string, name: string) => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? ''
