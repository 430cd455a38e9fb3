// @engine sqlite
/** Tokenizers and image tokens by model name, against usage that makers publish or report. */
import { expect, test } from 'bun:test'
import { imageTokens } from '../../src/models/image-tokens.ts'
import { tokenizerOf } from '../../src/models/tokenizers.ts'

test.each([
  ['o200k', 'gpt-4o gpt-4o-mini-2024-07-18 chatgpt-4o-latest o1 o3-mini o4-mini gpt-4.1-nano gpt-4.5-preview gpt-5.2'],
  ['o200k', 'openai/gpt-5 ft:gpt-4o:acme gpt-oss-120b gpt-image-1 computer-use-preview codex-mini-latest'],
  ['cl100k', 'gpt-4 gpt-4-turbo gpt-4-32k-0613 gpt-3.5-turbo gpt-35-turbo ft:gpt-3.5-turbo:acme openai/gpt-4'],
  ['cl100k', 'text-embedding-3-small text-embedding-ada-002 davinci-002'],
] as const)('OpenAI models of %s are counted exactly: %s', (encoding, models) => {
  for (const model of models.split(' ')) expect([model, tokenizerOf(model)]).toEqual([model, { encoding, factor: 1 }])
})

/**
 * Tokens of one text by o200k, and as the family counts it. Recorded: `usage` of an answer whose text is known, in
 * https://github.com/pydantic/pydantic-ai/tree/main/tests/models/cassettes (read 2026-11), and for Claude 4.5 and 5 in
 * https://github.com/sammcj/ingest/pull/65. Measured: the maker's tokenizer on 20,000 letters of English prose, a source
 * file, and 10,000 letters of Chinese.
 */
const counts: [model: string, o200k: number, own: number][] = [
  ['claude-sonnet-4-20250514', 244, 277],
  ['claude-sonnet-4-5', 429, 506],
  ['claude-opus-5', 429, 656],
  ['deepseek-reasoner', 369, 374],
  ['meta-llama/llama-4-scout-17b-16e-instruct', 106, 107],
  ['mistral-large-latest', 68, 69],
  ['gemini-2.5-flash', 5539, 6093],
  ['gemini-2.5-flash', 2386, 2768],
  ['gemini-2.5-flash', 6032, 5851],
  ['qwen3-235b-a22b', 5539, 5871],
  ['qwen3-235b-a22b', 2386, 2386],
  ['qwen3-235b-a22b', 6032, 5851],
  ['deepseek-chat', 5539, 5594],
  ['deepseek-chat', 6032, 5489],
  ['llama-3.3-70b', 2386, 2386],
  ['llama-3.3-70b', 6032, 6575],
]

test.each(counts)('%s counts a text within 15 %% of its maker: %d by o200k, %d by its own', (model, o200k, own) => {
  const { encoding, factor } = tokenizerOf(model)
  expect(encoding).toBe('o200k')
  expect(Math.abs(o200k * factor - own) / own).toBeLessThan(0.15)
})

test('Claude has a tokenizer of its own from Opus 4.7 on', () => {
  const newer = ['claude-opus-4-7', 'claude-opus-4.8', 'claude-opus-5', 'claude-sonnet-5-20260901', 'claude-fable-5-1']
  const older = [
    'claude-opus-4-6',
    'claude-opus-4-20250514',
    'claude-sonnet-4-5-20250929',
    'claude-3-7-sonnet-20250219',
  ]
  const factors = (models: string[]) => [...new Set(models.map(model => tokenizerOf(model).factor))]
  expect([factors(newer), factors(older)]).toEqual([[1.53], [1.18]])
})

/** https://platform.openai.com/docs/guides/images-vision (read 2026-11) */
test('images count by size, detail and model', () => {
  const size = (width: number, height: number) => ({ width, height })
  expect([
    imageTokens('gpt-4o', size(1024, 1024), 'high'),
    imageTokens('gpt-4o', size(2048, 4096)),
    imageTokens('gpt-4o', size(4096, 8192), 'low'),
    imageTokens('gpt-4o', size(300, 200)),
    imageTokens('gpt-4o-mini', size(1024, 1024)),
    imageTokens('gpt-5', size(1024, 1024)),
    imageTokens('o3', size(1024, 1024)),
    imageTokens('computer-use-preview', size(1024, 1024)),
  ]).toEqual([765, 1105, 85, 255, 2833 + 4 * 5667, 630, 675, 65 + 4 * 129])
  expect([
    imageTokens('gpt-4.1-mini', size(1024, 1024)),
    imageTokens('gpt-5-nano', size(1800, 2400)),
    imageTokens('o4-mini', size(8000, 8000)),
  ]).toEqual([Math.ceil(1024 * 1.62), Math.ceil(1452 * 2.46), Math.ceil(1521 * 1.72)])
  expect([
    imageTokens('claude-opus-4-1', size(300, 200)),
    imageTokens('claude-opus-4-1', size(8000, 8000)),
    imageTokens('gemini-2.5-pro', size(384, 100)),
    imageTokens('gemini-2.5-pro', size(1600, 700)),
  ]).toEqual([80, 1600, 258, 3 * 258])
  expect(['gpt-4o', 'claude-opus-4-1', 'glm-4v-plus', 'gemini-2.5-pro'].map(model => imageTokens(model))).toEqual([
    765, 1399, 1047, 1032,
  ])
})
