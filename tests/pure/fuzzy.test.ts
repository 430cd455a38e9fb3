// @engine sqlite
import { expect, test } from 'bun:test'
import { fuzzy } from '../../src/pure/fuzzy.ts'

const models = ['gpt-5-mini', 'claude-sonnet-4-5', 'claude-opus-4-5', 'mini-gpt']
const find = (wanted: string) => fuzzy(models, wanted, name => name)

test('an empty query finds everything', () => {
  expect(find('  ')).toEqual(models)
})

test('letters in order are enough, whole words come first', () => {
  expect(find('clso4')).toEqual(['claude-sonnet-4-5'])
  expect(find('GPT')).toEqual(['gpt-5-mini', 'mini-gpt'])
  expect(find('mini')).toEqual(['gpt-5-mini', 'mini-gpt'])
  expect(find('c45')).toEqual(['claude-sonnet-4-5', 'claude-opus-4-5'])
  expect(find('llama')).toEqual([])
})

test('adjacent letters rank before scattered ones', () => {
  expect(fuzzy(['g-p-t', 'gpt'], 'gpt', name => name)).toEqual(['gpt', 'g-p-t'])
})
