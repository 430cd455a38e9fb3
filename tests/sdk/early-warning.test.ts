// @engine sqlite
/** Whatever an installed SDK can send or read is listed, with what becomes of it: docs/fields.md is printed from that. */
import { describe, expect, test } from 'bun:test'
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClientFormatName } from '../../src/formats/canonical/chat.ts'
import { chatFormats, formats } from '../../src/formats/index.ts'
import type { Json } from '../../src/pure/json.ts'
import { fieldsDocument } from '../docs/fields.ts'
import { leastRequests } from './across.ts'
import { kinds, namesOf, surfaces, unlisted } from './outcomes.ts'
import { readTypes } from './read-types.ts'
import { newsOf, raise } from './update.ts'

const sdk = await readTypes('sdk-types.ts')

test('every field, beta, tool, block and event of the installed SDKs is listed', () => {
  expect(unlisted(sdk)).toEqual([])
})

test('a name of each kind is read, so that no change of an SDK empties the list', () => {
  const read = formats.flatMap(format => kinds.map(kind => [format, kind, sdk[`${format.replace('-', '_')}_${kind}`]]))
  const missing = read.filter(([format, kind, names]) => !names?.length && (kind !== 'beta' || format === 'anthropic'))
  expect(missing).toEqual([])
})

test('a name that an SDK of tomorrow adds is reported, whatever its kind', async () => {
  const news = unlisted(await readTypes('fabricated-types.ts'))
  expect(news.sort()).toEqual([
    'anthropic beta context-9m-2027-01-01',
    'anthropic block hologram',
    'anthropic event message_echo',
    'anthropic field teleport',
    'anthropic tool web_search_20990101',
    'gemini tool googleMars',
    'openai-responses event response.dreaming',
  ])
  expect(newsOf(news)).toContain('  anthropic field teleport\n')
  expect(newsOf([])).toContain('nothing')
})

test('versions are raised to the newest, never lowered', async () => {
  const versions = { a: '1.9.0', b: '2.0.0', c: '3.1.0' }
  const newest: Record<string, string> = { a: '1.10.0', b: '2.0.0', c: '3.0.9' }
  expect(await raise(versions, ['a', 'b', 'c'], async name => newest[name]!)).toEqual(['a 1.9.0 → 1.10.0'])
  expect(versions).toEqual({ a: '1.10.0', b: '2.0.0', c: '3.1.0' })
})

test('the command raises the clients of both registries', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-update-'))
  const { devDependencies } = await Bun.file('package.json').json()
  const pins = { npm: 'tests/clients/versions.json', python3: 'tests/clients/python-versions.json' }
  await Bun.write(join(folder, 'package.json'), JSON.stringify({ devDependencies }))
  await Bun.write(join(folder, pins.npm), JSON.stringify({ 'a-client': '1.0.0', 'an-old-one': '9.9.9' }))
  await Bun.write(join(folder, pins.python3), JSON.stringify({ snake: '0.86.1' }))
  const registries = {
    npm: '[ "$2" = a-client ] && echo 1.2.0 || echo 0.0.1',
    python3: 'printf "$5 (0.86.2)\\nAvailable versions: 0.86.2, 0.86.1\\n"',
  }
  for (const [name, script] of Object.entries(registries)) {
    const program = join(folder, 'bin', name)
    await Bun.write(program, `#!/bin/sh\n${script}\n`)
    chmodSync(program, 0o755)
  }
  const env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env.PATH}` }
  const command = [process.execPath, join(import.meta.dir, 'update.ts')]
  const { stdout, stderr } = Bun.spawnSync(command, { cwd: folder, env, stdout: 'pipe', stderr: 'pipe' })
  expect(stderr.toString()).toBe('')
  expect(stdout.toString()).toStartWith('a-client 1.0.0 → 1.2.0\nsnake 0.86.1 → 0.86.2\n')
  expect(await Bun.file(join(folder, pins.npm)).json()).toEqual({ 'a-client': '1.2.0', 'an-old-one': '9.9.9' })
  expect(await Bun.file(join(folder, pins.python3)).json()).toEqual({ snake: '0.86.2' })
})

test.each([...formats])('no name of %p is listed twice', format => {
  for (const kind of kinds)
    expect([kind, new Set(namesOf(format, kind)).size]).toEqual([kind, namesOf(format, kind).length])
})

describe('parts of a conversation become what the list says', () => {
  /** A conversation that holds the part. */
  const holding: Partial<Record<ClientFormatName, (type: string) => Json>> = {
    'openai-responses': type => ({
      input: [
        { type: 'message', role: 'user', content: 'Hi' },
        { type, id: 'x_1' },
      ],
    }),
    anthropic: type => ({
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: [{ type, id: 'x', tool_use_id: 'x' }] },
        { role: 'user', content: 'Go on' },
      ],
    }),
    gemini: name => ({
      contents: [{ role: 'user', parts: [name.startsWith('tool') ? { [name]: {} } : { text: 'Hi', [name]: {} }] }],
    }),
  }

  test.each(Object.entries(holding))('parts of a conversation of %p are read or refused', (format, requestWith) => {
    const { block } = surfaces[format as ClientFormatName]
    const isRead = (type: string) => {
      const body = { ...leastRequests[format as ClientFormatName], ...requestWith(type) }
      return 'messages' in chatFormats[format as ClientFormatName].readRequest(body)
    }
    const isKnown = (type: string) => type !== 'item_reference' // read, and refused where it is translated
    expect(block.dropped.filter(type => !isRead(type))).toEqual([])
    expect(block.refused.filter(isKnown).filter(isRead)).toEqual([])
  })
})

test('the events that are translated are those that the readers name', async () => {
  const sources = ['openai-responses', 'anthropic'] as const
  for (const format of sources) {
    const text = await Bun.file(`src/formats/${format}/read-stream.ts`).text()
    const named = (name: string) => text.includes(`'${name}'`)
    const whole = (names: readonly string[]) => names.filter(name => !/^(?:item|block)\.|^error$/.test(name))
    const { translated, dropped } = surfaces[format].event
    expect([format, whole(translated).filter(name => !named(name))]).toEqual([format, []])
    expect([format, whole(dropped).filter(named)]).toEqual([format, []])
  }
})

test('docs/fields.md is current: `bun run docs` writes it', async () => {
  expect(await Bun.file('docs/fields.md').text()).toBe(fieldsDocument())
})
