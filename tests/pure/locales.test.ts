// @engine sqlite
import { expect, test } from 'bun:test'
import { isMessageKey, languageOf, messagesOf, translate, translator } from '../../src/locales/index.ts'
import { createTranslator } from '../../src/locales/translator.ts'

test('a message has its parameters filled in, in either language', () => {
  expect(translate('en', 'error.too_large', { limit: 64 })).toBe('The body is larger than 64 MB')
  expect(translate('zh', 'error.too_large', { limit: 64 })).toBe('请求内容超过 64 MB')
})

test('facts are text: nothing in them is read as markup or as another sentence', () => {
  const name = '<b>{{count}}</b> $t(part.save)'
  expect(translate('en', 'ui.open', { name })).toBe(`Open ${name}`)
})

test('a count chooses between one and other', () => {
  const t = translator('en')
  expect([1, 3].map(count => t('ui.filters_set', { count }))).toEqual(['1 filter', '3 filters'])
  expect(translate('zh', 'ui.filters_set', { count: 1 })).toBe('1 个条件')
})

test('an island says the same with only its nouns', () => {
  const t = createTranslator('zh', messagesOf('zh', ['ui', 'time']))
  expect(t('ui.filters_set', { count: 3 })).toBe(translate('zh', 'ui.filters_set', { count: 3 }))
  expect(Object.keys(messagesOf('zh', ['ui', 'time']))).toEqual(['ui', 'time'])
})

test('a message key is recognised among other texts', () => {
  expect(
    ['error.internal', 'ui.filters_set_one', 'error', 'error.', 'nothing.here', 'error.toString', 'a.b.c'].map(
      isMessageKey,
    ),
  ).toEqual([true, true, false, false, false, false, false])
})

test('the language is the stored one, else the most wanted that we speak, else Chinese', () => {
  expect(languageOf('en', 'zh-CN')).toBe('en')
  expect(languageOf(undefined, 'en-US,en;q=0.9')).toBe('en')
  expect(languageOf('tlh', 'fr;q=0.9, zh-TW;q=0.3, en-GB;q=0.5')).toBe('en')
  expect(languageOf(undefined, 'en;q=0, zh')).toBe('zh')
  for (const header of [null, undefined, '', 'fr, de;q=0.5', ';;q=,,']) expect(languageOf(undefined, header)).toBe('zh')
})
