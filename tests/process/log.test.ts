// @engine sqlite
/** Lines of the process log: one per event, with every value escaped. */
import { expect, spyOn, test } from 'bun:test'
import { log } from '../../src/process/log.ts'
import { setEnv } from '../support/env.ts'

function written(format: 'text' | 'json', facts: Record<string, string>): string {
  setEnv({ LOG_LEVEL: 'info', LOG_FORMAT: format })
  const stderr = spyOn(process.stderr, 'write').mockImplementation(() => true)
  log.info('something happened', facts)
  const [line] = stderr.mock.calls[0]!
  stderr.mockRestore()
  return String(line)
}

test.each([
  ['plain', 'plain'],
  ['你好', '你好'],
  ['two words', '"two words"'],
  ['a="b"', '"a=\\"b\\""'],
  ['x\n2026-01-01 error forged', '"x\\n2026-01-01 error forged"'],
  ['x\u001b[2Jy', '"x\\u001b[2Jy"'],
  ['x\u009b2Jy', '"x\\u{9b}2Jy"'],
  ['x\u2028y', '"x\\u{2028}y"'],
  ['abc\u202ecba', '"abc\\u{202e}cba"'],
])('the log writes the value %j as %s', (said, shown) => {
  expect(written('text', { said })).toEndWith(` info  something happened said=${shown}\n`)
  const line = written('json', { said })
  expect(line.indexOf('\n')).toBe(line.length - 1)
  expect(JSON.parse(line)).toMatchObject({ level: 'info', message: 'something happened', said })
})
