// @engine sqlite
/** Tools that a provider runs itself are asked for in its own words. */
import { expect, test } from 'bun:test'
import type { Json } from '../../src/pure/json.ts'
import { chat, sent, user } from './support.ts'

const searching = (limits: Json = {}) => ({
  model: 'm',
  max_tokens: 9,
  messages: [user('Hi')],
  tools: [{ type: 'web_search_20250305', name: 'web_search', ...limits }],
})
const place = { city: 'Oslo', country: 'NO' }
const near = { type: 'approximate', ...place }

test("web search is written as each format's own tool", () => {
  expect(sent('anthropic', searching(), 'gemini').tools).toEqual([{ googleSearch: {} }])
  expect(sent('anthropic', searching(), 'openai-responses').tools).toEqual([{ type: 'web_search' }])
  expect(sent('anthropic', searching(), 'openai-chat').web_search_options).toEqual({})
  const simple = chat([user('Hi')], { web_search_options: {} })
  expect(sent('openai-chat', simple, 'anthropic').tools).toEqual([{ type: 'web_search_20250305', name: 'web_search' }])
})

test('web search keeps its domains and its location', () => {
  const sites = ['a.example']
  const asked = searching({ allowed_domains: sites, max_uses: 2, user_location: near })
  const web_search = { type: 'web_search', filters: { allowed_domains: sites }, user_location: near }
  expect(sent('anthropic', asked, 'openai-responses').tools).toEqual([web_search])
  expect(sent('anthropic', asked, 'openai-chat').web_search_options).toEqual({
    user_location: { type: 'approximate', approximate: place },
  })
  const response = { model: 'm', input: 'Hi', tools: [{ ...web_search, search_context_size: 'low' }] }
  expect(sent('openai-responses', response, 'anthropic').tools).toEqual([
    { type: 'web_search_20250305', name: 'web_search', allowed_domains: sites, user_location: near },
  ])
  const { web_search_options } = sent('openai-responses', response, 'openai-chat')
  expect(web_search_options).toMatchObject({ search_context_size: 'low' })
  expect(sent('openai-chat', chat([user('Hi')], { web_search_options }), 'anthropic').tools).toMatchObject([
    { user_location: near },
  ])
})

test('hosted tools without a counterpart are dropped', () => {
  const bash = { ...searching(), tools: [{ type: 'bash_20250124', name: 'bash' }] }
  expect(sent('anthropic', bash, 'gemini').tools).toBeUndefined()
})

test('Google’s own stand beside functions only where it takes both', () => {
  const tools = [...searching().tools, { name: 'f', input_schema: { type: 'object', properties: {} } }]
  const entries = (model: string) => sent('anthropic', { ...searching(), tools }, 'gemini', model).tools
  expect(entries('gemini-2.5-flash')).toEqual([{ functionDeclarations: [{ name: 'f' }] }])
  expect(entries('gemini-3-flash')).toEqual([{ functionDeclarations: [{ name: 'f' }] }, { googleSearch: {} }])
})

test('gemini: a function of the client stays one, whatever its name', () => {
  const names = ['googleSearch', 'urlContext', 'codeExecution', 'web_search']
  const tools = names.map(name => ({ type: 'function', function: { name } }))
  const body = sent('openai-chat', chat([user('Hi')], { tools }), 'gemini')
  expect(body.tools).toEqual([{ functionDeclarations: names.map(name => ({ name })) }])
})

const f = { name: 'f', input_schema: { type: 'object', properties: {} } }
const chosen = { type: 'tool', name: 'web_search' }

test('a choice of a hosted tool follows the tool', () => {
  const choosing = (tools: Json[], to: 'openai-chat' | 'openai-responses' | 'gemini', model: string) =>
    sent('anthropic', { ...searching(), tools, tool_choice: chosen }, to, model)
  const asked = searching().tools[0]!
  expect(choosing([asked], 'openai-responses', 'gpt-5.1').tool_choice).toBe('required')
  expect(choosing([asked, f], 'openai-responses', 'gpt-5.1').tool_choice).toEqual({ type: 'web_search' })
  expect(choosing([asked], 'openai-chat', 'gpt-5.1')).not.toContainAnyKeys(['tools', 'tool_choice'])
  expect(choosing([asked, f], 'openai-chat', 'gpt-5.1').tool_choice).toBe('auto')
  expect(choosing([asked, f], 'gemini', 'gemini-2.5-pro').toolConfig).toEqual({
    functionCallingConfig: { mode: 'AUTO' },
  })
  const undeclared = { ...searching(), tools: [f], tool_choice: { type: 'tool', name: 'g' } }
  expect(sent('anthropic', undeclared, 'openai-chat').tool_choice).toMatchObject({ function: { name: 'g' } })
})

const g = { type: 'function', name: 'g', parameters: { type: 'object', properties: {} } }
const search = { type: 'web_search' }
const allowed = (mode: string, ...tools: Json[]) => ({ type: 'allowed_tools', mode, tools })

test.each([
  ['anthropic', 'claude-opus-4-1', { type: 'tool', name: 'web_search' }],
  ['openai-responses', 'gpt-5.1', { type: 'web_search' }],
  ['openai-chat', 'gpt-4o-search-preview', 'auto'],
] as const)('Responses force a hosted tool beside functions where %p can', (format, model, written) => {
  const body = { model: 'm', input: 'Hi', tools: [search, g], tool_choice: { type: 'web_search_preview' } }
  expect(sent('openai-responses', body, format, model).tool_choice).toEqual(written)
})

test('a forced hosted tool that the target has not is left to the model', () => {
  for (const type of ['file_search', 'image_generation', 'mcp', 'shell', 'web_search']) {
    const body = { model: 'm', input: 'Hi', tools: [{ type }, g], tool_choice: { type } }
    expect(sent('openai-responses', body, 'anthropic', 'claude-3-opus-20240229').tool_choice).toEqual({ type: 'auto' })
    expect(sent('openai-responses', body, 'openai-responses', 'gpt-5.1').tool_choice).toEqual({ type })
  }
  const undeclared = { model: 'm', input: 'Hi', tools: [g], tool_choice: search }
  expect(sent('openai-responses', undeclared, 'openai-chat').tool_choice).toBe('auto')
})

test('a forced hosted tool turns off thinking that the maker refuses beside it', () => {
  const body = { model: 'm', input: 'Hi', tools: [search, g], tool_choice: search, reasoning: { effort: 'low' } }
  expect(sent('openai-responses', body, 'anthropic', 'claude-sonnet-4-5').thinking).toBeUndefined()
})

test('a list of allowed tools may name hosted ones', () => {
  const body = (tool_choice: Json) => ({ model: 'm', input: 'Hi', tools: [search, g], tool_choice })
  const to = (choice: Json) => sent('openai-responses', body(choice), 'anthropic', 'claude-opus-4-1')
  expect(to(allowed('required', search))).toMatchObject({
    tools: [{ name: 'web_search' }],
    tool_choice: { type: 'any' },
  })
  expect(to(allowed('auto', { type: 'function', name: 'g' })).tools).toMatchObject([{ name: 'g' }])
  expect(to(allowed('auto', { type: 'file_search' })).tool_choice).toEqual({ type: 'none' })
  const both = allowed('auto', { type: 'function', name: 'g' }, search)
  expect(to(both).tools).toMatchObject([{ name: 'web_search' }, { name: 'g' }])
  expect(sent('openai-responses', body(both), 'openai-responses', 'gpt-5.1').tool_choice).toEqual(both)
})

test.each([
  ['openai-chat', 'gpt-5.1', false],
  ['openai-chat', 'gpt-7', false],
  ['openai-chat', 'gpt-4o-search-preview', true],
  ['openai-chat', 'gpt-6-search-api', true],
  ['openai-responses', 'gpt-5.1', true],
  ['openai-responses', 'gpt-7.2-mini', true],
  ['openai-responses', 'gpt-4.1-nano', false],
  ['openai-responses', 'gpt-3.5-turbo', false],
  ['anthropic', 'claude-3-opus-20240229', false],
  ['anthropic', 'claude-sonnet-9', true],
  ['gemini', 'gemini-9-flash', true],
  ['gemini', 'gemma-3-27b-it', false],
] as const)('%p asks %p for a search where the maker takes one: %p', (format, model, isSent) => {
  const response = { model: 'm', input: 'Hi', tools: [{ type: 'web_search' }] }
  const from = format === 'openai-responses' ? sentBy('anthropic', searching()) : sentBy('openai-responses', response)
  const body = JSON.stringify(from(format, model))
  expect(/search(?!-)/i.test(body.replaceAll(model, ''))).toBe(isSent)
})

const sentBy =
  (client: 'anthropic' | 'openai-responses', body: Json) =>
  (format: string, model: string): Json =>
    sent(client, body, format as 'gemini', model)

test('the least effort is raised for a search by OpenAI', () => {
  const body = {
    ...searching(),
    max_tokens: 4096,
    thinking: { type: 'adaptive' },
    output_config: { effort: 'minimal' },
  }
  expect(sent('anthropic', body, 'openai-responses', 'gpt-5').reasoning).toMatchObject({ effort: 'low' })
  expect(sent('anthropic', { ...body, tools: [f] }, 'openai-responses', 'gpt-5').reasoning).toMatchObject({
    effort: 'minimal',
  })
})
