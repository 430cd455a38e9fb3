/** Dumps as tests read, alter and compare them. */

import { expect } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Manifest } from '../../../src/db/dump/format.ts'
import type { Installation } from './installation.ts'
import { newFolder, run } from './server.ts'

export const linesIn = async (file: string): Promise<string[]> => {
  const text = new Response(
    Bun.file(file)
      .stream()
      .pipeThrough(new DecompressionStream('zstd' as 'gzip')),
  ).text()
  return (await text).trimEnd().split('\n')
}

export const manifestIn = async (file: string): Promise<Manifest> => JSON.parse((await linesIn(file))[0]!)

/** Rows by table, as values in the order of the columns' names: the engines list columns in another order. */
export async function rowsIn(file: string): Promise<Record<string, unknown[]>> {
  const [first, ...lines] = await linesIn(file)
  const found: Record<string, unknown[]> = {}
  let at = 0
  for (const { name, columns } of (JSON.parse(first!) as Manifest).tables) {
    const order = columns.map((column, index) => ({ name: column.name, index }))
    order.sort((one, other) => (one.name < other.name ? -1 : 1))
    found[name] = []
    for (; lines[at]!.startsWith('['); at++) {
      const values = JSON.parse(lines[at]!)
      found[name].push(order.map(({ index }) => values[index]))
    }
    at++
  }
  return found
}

/** Another file with other lines. */
export function dumpOf(lines: string[]): string {
  const file = join(newFolder(), 'altered.zst')
  writeFileSync(file, Bun.zstdCompressSync(Buffer.from(`${lines.join('\n')}\n`)))
  return file
}

export function fileOf(bytes: Uint8Array | string): string {
  const file = join(newFolder(), 'file')
  writeFileSync(file, bytes)
  return file
}

export const withByteChanged = (file: string, at: number): string => {
  const bytes = readFileSync(file)
  bytes[at]! ^= 1
  return fileOf(bytes)
}

export async function backedUp(place: Pick<Installation, 'folder' | 'env'>): Promise<string> {
  const file = join(newFolder(), 'tollgate.jsonl.zst')
  expect(await run(['backup', file], place)).toMatchObject({ code: 0, err: '' })
  return file
}
