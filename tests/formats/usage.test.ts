// @engine sqlite
import { describe, expect, test } from 'bun:test'
import { bill } from '../../src/billing/bill.ts'
import { type PriceTables, priceOf } from '../../src/billing/price.ts'
import { type ClientFormatName, finishReasons, type Usage, usageOf } from '../../src/formats/canonical/chat.ts'
import { chatFormats, formats } from '../../src/formats/index.ts'
import { completionFamilies } from '../../src/models/completion-ratios.ts'
import type { Json } from '../../src/pure/json.ts'
import { eventsOf, labelFor, requestOf, wired } from './support.ts'

const tables: PriceTables = {
  ModelPrice: {},
  ModelRatio: { m: 1.5 },
  CompletionRatio: { m: 5 },
  CacheRatio: { m: 0.1 },
  CacheCreationRatio: { m: 1.25 },
  AudioRatio: { m: 4 },
  AudioCompletionRatio: { m: 2 },
  ImageRatio: { m: 2 },
  ToolPrice: { web_search: 10 },
  CacheCreationHourRatio: {},
  ReasoningRatio: {},
  TierRatio: {},
  QuotaPerUnit: 500_000,
  families: completionFamilies,
  version: 'test',
}
const price = priceOf('m', tables, { group_ratio: 1, accept_unset: false })!

const reports: Record<ClientFormatName, (usage: Json) => unknown> = {
  'openai-chat': usage => ({ choices: [], usage }),
  'openai-responses': usage => ({ object: 'response', output: [], usage }),
  anthropic: usage => ({ content: [], usage }),
  gemini: usageMetadata => ({ candidates: [], usageMetadata }),
}

const usageIn = (format: ClientFormatName, report: Json) => chatFormats[format].readResponse(reports[format](report))!

describe('every format reports in its own way what is the same usage', () => {
  const same: Partial<Record<ClientFormatName, Json>> = {
    'openai-chat': {
      prompt_tokens: 8000,
      completion_tokens: 300,
      prompt_tokens_details: { cached_tokens: 5000, cache_write_tokens: 2000 },
      completion_tokens_details: { reasoning_tokens: 120 },
    },
    'openai-responses': {
      input_tokens: 8000,
      output_tokens: 300,
      input_tokens_details: { cached_tokens: 5000, cache_write_tokens: 2000 },
      output_tokens_details: { reasoning_tokens: 120 },
    },
    anthropic: {
      input_tokens: 1000,
      cache_read_input_tokens: 5000,
      cache_creation_input_tokens: 2000,
      output_tokens: 300,
      output_tokens_details: { thinking_tokens: 120 },
    },
  }

  test.each(Object.entries(same))('usage reported by %s is read into the same buckets', (format, report) => {
    const { usage } = usageIn(format as ClientFormatName, report)
    expect(usage).toEqual(usageOf({ input: 1000, cache_read: 5000, cache_write_5m: 2000, output: 300, reasoning: 120 }))
    expect(bill(usage!, price).quota).toBe(8250)
  })

  test('Gemini counts thoughts beside the answer, and what its tools read beside the prompt', () => {
    const { usage } = usageIn('gemini', {
      promptTokenCount: 900,
      toolUsePromptTokenCount: 100,
      cachedContentTokenCount: 400,
      candidatesTokenCount: 180,
      thoughtsTokenCount: 120,
    })
    expect(usage).toEqual(usageOf({ input: 600, cache_read: 400, output: 300, reasoning: 120 }))
  })

  test('Gemini tells sound and pictures apart, those from the cache apart from the fresh', () => {
    const { usage } = usageIn('gemini', {
      promptTokenCount: 1000,
      cachedContentTokenCount: 300,
      promptTokensDetails: [
        { modality: 'TEXT', tokenCount: 500 },
        { modality: 'AUDIO', tokenCount: 300 },
        { modality: 'IMAGE', tokenCount: 200 },
      ],
      cacheTokensDetails: [{ modality: 'AUDIO', tokenCount: 300 }],
      candidatesTokenCount: 60,
      candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 50 }],
    })
    expect(usage).toEqual(usageOf({ input: 500, cache_read: 300, input_image: 200, output: 10, output_image: 50 }))
  })

  test('Anthropic keeps entries for an hour apart, and counts searches', () => {
    const { usage } = usageIn('anthropic', {
      input_tokens: 10,
      cache_creation_input_tokens: 500,
      cache_creation: { ephemeral_5m_input_tokens: 200, ephemeral_1h_input_tokens: 300 },
      output_tokens: 5,
      server_tool_use: { web_search_requests: 2, web_fetch_requests: 0 },
    })
    expect(usage).toEqual(
      usageOf({ input: 10, cache_write_5m: 200, cache_write_1h: 300, output: 5, tools: { web_search: 2 } }),
    )
  })

  test('searches of Google’s are searches to callers of Anthropic', () => {
    const usage = usageOf({ input: 9, output: 1, tools: { google_search: 2 } })
    const answer = { id: '', model: 'm', choices: [], usage, doubts: [] }
    const told = chatFormats.anthropic.writeResponse(answer, labelFor(requestOf('anthropic', 'text')))
    expect(told.usage).toMatchObject({ server_tool_use: { web_search_requests: 2, web_fetch_requests: 0 } })
  })

  test('searches in a response are counted from its items', () => {
    const output = [{ type: 'web_search_call' }, { type: 'web_search_call' }, { type: 'message', content: [] }]
    const answer = chatFormats['openai-responses'].readResponse({
      output,
      usage: { input_tokens: 9, output_tokens: 1 },
    })
    expect(answer?.usage).toEqual(usageOf({ input: 9, output: 1, tools: { web_search: 2 } }))
  })
})

describe('what a caller is told costs what it cost', () => {
  const usages: Partial<Usage>[] = [
    { input: 10, output: 5 },
    { input: 1000, cache_read: 5000, cache_write_5m: 2000, output: 300, reasoning: 120 },
    { cache_read: 70, output: 1 },
  ]

  test.each([...formats])('usage written for %s costs the same when read back', format => {
    for (const known of usages) {
      const usage = usageOf(known)
      const answer = {
        id: '',
        model: 'm',
        choices: [{ parts: [], finish: { reason: 'stop' } as const }],
        usage,
        doubts: [],
      }
      const written = chatFormats[format].writeResponse(answer, labelFor(requestOf(format, 'text')))
      const read = chatFormats[format].readResponse(wired(written))!.usage!
      // Gemini has no word for what is written to a cache; it is fresh input there.
      const wrote = format === 'gemini' ? usage.cache_write_5m : 0
      const expected = { ...usage, input: usage.input + wrote, cache_write_5m: usage.cache_write_5m - wrote }
      expect(read).toEqual(expected)
    }
  })

  test('sound, pictures and hours where the format has a word for them', () => {
    const usage = usageOf({ input: 5, input_audio: 7, input_image: 3, output: 2, output_audio: 4, output_image: 1 })
    const answer = {
      id: '',
      model: 'm',
      choices: [{ parts: [], finish: { reason: 'stop' } as const }],
      usage,
      doubts: [],
    }
    for (const format of ['openai-chat', 'openai-responses', 'gemini'] as const) {
      const written = chatFormats[format].writeResponse(answer, labelFor(requestOf(format, 'text')))
      expect(chatFormats[format].readResponse(wired(written))!.usage).toEqual(usage)
    }
    const hours = { ...answer, usage: usageOf({ input: 1, cache_write_5m: 2, cache_write_1h: 3, output: 4 }) }
    const written = chatFormats.anthropic.writeResponse(hours, labelFor(requestOf('anthropic', 'text')))
    expect(chatFormats.anthropic.readResponse(wired(written))!.usage).toEqual(hours.usage)
    for (const format of ['openai-chat', 'openai-responses'] as const) {
      const sum = chatFormats[format].writeResponse(hours, labelFor(requestOf(format, 'text')))
      expect(chatFormats[format].readResponse(wired(sum))!.usage).toMatchObject({
        input: 1,
        cache_write_5m: 5,
        output: 4,
      })
    }
  })
})

describe('figures that cannot be', () => {
  test.each([
    ['openai-chat', { prompt_tokens: 10, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 40 } }],
    ['openai-responses', { input_tokens: 10, output_tokens: 5, input_tokens_details: { cached_tokens: 40 } }],
    ['gemini', { promptTokenCount: 10, candidatesTokenCount: 5, cachedContentTokenCount: 40 }],
  ] as const)('%s: more from the cache than there was', (format, report) => {
    const { usage, doubts } = usageIn(format, report)
    expect(usage).toEqual(usageOf({ cache_read: 10, output: 5 }))
    expect(doubts).toHaveLength(1)
  })

  test.each([
    ['openai-chat', { prompt_tokens: -3, completion_tokens: 5 }],
    ['openai-responses', { input_tokens: 1e12, output_tokens: 5 }],
    ['anthropic', { input_tokens: 'x', output_tokens: 5 }],
    ['gemini', { promptTokenCount: Number.NaN, candidatesTokenCount: 5 }],
  ] as const)('%s: what is no count is nothing, and is noted', (format, report) => {
    const { usage, doubts } = usageIn(format, report)
    expect(usage).toEqual(usageOf({ output: 5 }))
    expect(doubts).toHaveLength(1)
  })

  test.each([...formats])('%s: a report of nothing is none', format => {
    expect(usageIn(format, {}).usage).toBeUndefined()
  })
})

describe('every reason to finish, as each format says it', () => {
  const said: Record<ClientFormatName, Record<string, string>> = {
    'openai-chat': {
      stop_sequence: 'stop',
      context_full: 'length',
      refusal: 'filter',
      pause: 'stop',
      broken_call: 'stop',
    },
    'openai-responses': { stop_sequence: 'stop', context_full: 'length', refusal: 'filter', pause: 'stop' },
    anthropic: { filter: 'refusal', broken_call: 'stop' },
    gemini: { stop_sequence: 'stop', context_full: 'length', refusal: 'filter', pause: 'stop' },
  }
  const call = { kind: 'tool_call', id: 'call_1', name: 'f', arguments: '{}' } as const

  describe.each([...formats])('%s', format => {
    test.each([...finishReasons])("the finish reason %s is written in the format's own word", reason => {
      // A broken call is a failure there.
      if (format === 'openai-responses' && reason === 'broken_call') return
      const parts = reason === 'tool_calls' ? [call] : []
      const answer = { id: '', model: 'm', choices: [{ parts, finish: { reason } }], doubts: [] }
      const label = labelFor(requestOf(format, 'text'))
      const whole = chatFormats[format].readResponse(wired(chatFormats[format].writeResponse(answer, label)))!
      expect(whole.choices[0]!.finish.reason).toBe((said[format][reason] ?? reason) as typeof reason)

      const writer = chatFormats[format].writeStream(label)
      const text = [
        { kind: 'start', id: '', model: 'm' } as const,
        ...parts.flatMap(opening => [
          { kind: 'open', choice: 0, part: 0, opening } as const,
          { kind: 'close', choice: 0, part: 0 } as const,
        ]),
        { kind: 'finish', choice: 0, finish: { reason } } as const,
        { kind: 'end' } as const,
      ].map(event => writer.write(event))
      const finish = eventsOf(chatFormats[format], text.join('')).find(event => event.kind === 'finish')
      expect(finish?.finish.reason).toBe((said[format][reason] ?? reason) as typeof reason)
    })
  })

  test.each(['RECITATION', 'SPII', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'IMAGE_SAFETY', 'OTHER', 'UNEXPECTED_TOOL_CALL'])(
    'Gemini’s own word %s stays where the caller knows it',
    finishReason => {
      const answer = chatFormats.gemini.readResponse({ candidates: [{ content: { parts: [] }, finishReason }] })!
      const label = labelFor(requestOf('gemini', 'text'))
      expect(chatFormats.gemini.writeResponse(answer, label)).toMatchObject({ candidates: [{ finishReason }] })
    },
  )
})
