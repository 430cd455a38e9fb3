// @engine sqlite
/** Pictures, documents and sound find a place wherever there is one. */
import { describe, expect, test } from 'bun:test'
import type { Json } from '../../src/pure/json.ts'
import { chat, sent, user } from './support.ts'
import { picture } from './wire/sse.ts'

describe('documents and media', () => {
  const pdf = { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' } }

  test('a PDF document is written in every format', () => {
    const body = chat([user([pdf])])
    expect(sent('openai-chat', body, 'anthropic').messages).toEqual([
      {
        role: 'user',
        content: [
          {
            type: 'document',
            source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' },
            title: 'a.pdf',
          },
        ],
      },
    ])
    expect(sent('openai-chat', body, 'gemini').contents).toMatchObject([
      { parts: [{ inlineData: { mimeType: 'application/pdf' } }] },
    ])
    expect(sent('openai-chat', body, 'openai-responses').input).toMatchObject([
      { content: [{ type: 'input_file', filename: 'a.pdf' }] },
    ])
  })

  test('a document of text is text where there are no such documents', () => {
    const document = {
      type: 'document',
      title: 'Notes',
      source: { type: 'text', media_type: 'text/plain', data: 'Milk' },
    }
    const body = { model: 'm', max_tokens: 9, messages: [user([document])] }
    expect(sent('anthropic', body, 'openai-chat').messages).toEqual([user('Notes\n\nMilk')])
    expect(sent('anthropic', body, 'gemini').contents).toMatchObject([
      { parts: [{ inlineData: { mimeType: 'text/plain', data: 'TWlsaw==' } }] },
    ])
  })

  test('a picture that the model has made is shown to it by the user, after what it is answered', () => {
    const contents = [
      { role: 'user', parts: [{ text: 'Draw, and call' }] },
      {
        role: 'model',
        parts: [
          { text: 'There.' },
          { inlineData: { mimeType: 'image/png', data: picture } },
          { functionCall: { id: 'c', name: 'f', args: {} } },
        ],
      },
      {
        role: 'user',
        parts: [{ functionResponse: { id: 'c', name: 'f', response: { result: 'ok' } } }, { text: 'More' }],
      },
    ]
    const roles = (messages: unknown) => (messages as Json[]).map(({ role }) => role)
    const chat = sent('gemini', { contents }, 'openai-chat').messages as Json[]
    expect(roles(chat)).toEqual(['user', 'assistant', 'tool', 'user'])
    expect(chat[3]).toMatchObject({ content: [{ type: 'image_url' }, { text: 'More' }] })
    const messages = sent('gemini', { contents }, 'anthropic').messages as Json[]
    expect(roles(messages)).toEqual(['user', 'assistant', 'user'])
    expect(messages[1]).toMatchObject({ content: [{ type: 'text' }, { type: 'tool_use' }] })
    expect(messages[2]).toMatchObject({ content: [{ type: 'tool_result' }, { type: 'image' }, { text: 'More' }] })
    const drawn = sent('gemini', { contents: contents.slice(0, 2) }, 'openai-responses').input as Json[]
    expect(drawn.at(-1)).toMatchObject({ role: 'user', content: [{ type: 'input_image' }] })
    expect(sent('gemini', { contents }, 'gemini').contents).toEqual(contents)
  })

  test('a picture is called what it is, or Anthropic refuses it', () => {
    const mistaken = [user([{ type: 'image_url', image_url: { url: `data:image/jpg;base64,${picture}` } }])]
    expect(sent('openai-chat', chat(mistaken), 'anthropic').messages).toMatchObject([
      { content: [{ source: { media_type: 'image/png' } }] },
    ])
  })

  test('input audio passes from OpenAI to Gemini and back', () => {
    const body = chat([user([{ type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } }])])
    const { contents } = sent('openai-chat', body, 'gemini')
    expect(contents).toMatchObject([{ parts: [{ inlineData: { mimeType: 'audio/mp3', data: 'AAAA' } }] }])
    expect(sent('gemini', { contents }, 'openai-chat').messages).toEqual(body.messages as Json[])
    for (const [mimeType, format] of [
      ['audio/mpeg', 'mp3'],
      ['audio/x-wav', 'wav'],
    ] as const) {
      const spoken = { contents: [{ parts: [{ inlineData: { mimeType, data: 'AAAA' } }] }] }
      const part = { type: 'input_audio', input_audio: { data: 'AAAA', format } }
      expect(sent('gemini', spoken, 'openai-chat').messages).toEqual([user([part])])
      expect(sent('gemini', spoken, 'openai-responses').input).toMatchObject([{ content: [part] }])
    }
  })
})

test('a data file becomes text where files are unknown', () => {
  const inlineData = { mimeType: 'application/json', data: 'eyJhIjoxfQ==' }
  expect(sent('gemini', { contents: [{ parts: [{ inlineData }] }] }, 'openai-chat').messages).toEqual([user('{"a":1}')])
})

test('how closely a picture is looked at', () => {
  const inlineData = { mimeType: 'image/png', data: picture }
  const contents = [{ parts: [{ inlineData, mediaResolution: { level: 'MEDIA_RESOLUTION_HIGH' } }] }]
  expect(sent('gemini', { contents }, 'openai-chat').messages).toMatchObject([
    { content: [{ image_url: { detail: 'high' } }] },
  ])
  const image_url = `data:image/png;base64,${picture}`
  const input = [{ role: 'user', content: [{ type: 'input_image', image_url, detail: 'original' }] }]
  expect(sent('openai-responses', { model: 'm', input }, 'openai-chat').messages).toMatchObject([
    { content: [{ image_url: { detail: 'high' } }] },
  ])
})
