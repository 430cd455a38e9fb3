// @engine sqlite
/** A chat's stream that passes: when it is complete, who counts it, and what is added at its end. */
import { expect, test } from 'bun:test'
import { usageOf } from '../../src/billing/usage.ts'
import { openAiChat } from '../../src/formats/openai-chat/index.ts'
import { openAiCompletions } from '../../src/formats/openai-completions/index.ts'

const metered = { usage: usageOf({ input: 3, output: 1 }), by: 'gateway', doubts: [] } as const
const said = (rest: object = {}, finish_reason: string | null = null) =>
  JSON.stringify({ id: 'c', choices: [{ index: 0, delta: { content: 'Hi' }, text: 'Hi', finish_reason, ...rest }] })
const report = JSON.stringify({ id: 'c', choices: [], usage: { prompt_tokens: 3, completion_tokens: 1 } })

for (const [name, codec] of Object.entries({ openAiChat, openAiCompletions })) {
  const read = (...events: string[]) => {
    const reader = codec.streamReader({ keep_text: false })
    for (const event of events) reader.read(event)
    return reader
  }
  const end = (wanted: boolean, ...events: string[]) => read(...events).end({ ...metered, doubts: [] }, wanted)

  test(`${name}: the end is written once, with the usage that the client asked for`, () => {
    expect(end(false, said({}, 'stop'))).toBe('data: [DONE]\n\n')
    expect(end(false, said({}, 'stop'), '[DONE]')).toBe('')
    expect(end(true, said({}, 'stop'), report, '[DONE]')).toBe('')
    expect(end(true, said({}, 'stop'))).toBe(
      'data: {"id":"c","choices":[],"usage":{"prompt_tokens":3,"completion_tokens":1,"total_tokens":4}}\n\ndata: [DONE]\n\n',
    )
  })

  test(`${name}: a stream is complete after its finish reason or its end marker`, () => {
    expect(read(said()).finished).toBe(false)
    expect(read(said({}, 'stop')).finished).toBe(true)
    expect(read(said(), '[DONE]').finished).toBe(true)
  })
}

test('openai-chat: usage is read from the last choice', () => {
  const reader = openAiChat.streamReader({ keep_text: false })
  reader.read(said({ usage: { prompt_tokens: 3 } }, 'stop'))
  expect(reader.usage_report).toMatchObject({ usage: { input: 3 } })
})

test('openai-completions: the suffix counts as prompt, and an error code may stand elsewhere', () => {
  const tokens = (suffix?: string) => openAiCompletions.promptTokens({ prompt: 'one two', suffix })
  expect(tokens('three four')).toBeGreaterThan(tokens())
  expect(openAiChat.readError({ error_msg: 'No', error_code: 17 })).toMatchObject({ message: 'No', code: '17' })
})
