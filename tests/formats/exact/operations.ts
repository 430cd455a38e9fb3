/** Requests, responses and streams of the operations beside chats that have every field the gateway reads. */
import type { Json } from '../../../src/pure/json.ts'
import { jimeng, kling, video } from './operation-videos.ts'

export interface OperationBodies {
  requests: Record<string, Json>
  responses?: Record<string, unknown>
  streams?: Record<string, readonly unknown[]>
}

const tokens = {
  ...{ input_tokens: 100, output_tokens: 60, total_tokens: 160 },
  input_tokens_details: {
    text_tokens: 70,
    image_tokens: 20,
    audio_tokens: 12,
    cached_tokens: 10,
    cached_tokens_details: { image_tokens: 4, audio_tokens: 3 },
  },
  output_tokens_details: { text_tokens: 40, image_tokens: 11, audio_tokens: 5, reasoning_tokens: 6 },
}
const bare = { input_tokens: 100, output_tokens: 60 }

const embeddings: OperationBodies = {
  requests: {
    texts: {
      model: 'm',
      input: ['Hello there', { text: 'Another', title: 'More words' }, { image: 'https://example.com/a.png' }],
      dimensions: 256,
      user: 'ann',
    },
    text: { model: 'm', input: 'Hello there' },
    tokens: { model: 'm', input: [1, 2, 3] },
    lists: { model: 'm', input: [[1, 2], [3]] },
    empty: { model: 'm', input: '' },
    none: { input: [] },
  },
  responses: {
    reported: {
      model: 'm',
      data: [{ embedding: [1] }, { embedding: [2] }],
      usage: { prompt_tokens: 7, total_tokens: 9 },
    },
    bare: { data: [{}] },
    empty: { data: [] },
  },
}

const images: OperationBodies = {
  requests: {
    tokens: {
      model: 'gpt-image-1',
      prompt: 'A red ball',
      n: 2,
      size: '1024x1024',
      quality: 'medium',
      stream: true,
      image: ['a', 'b'],
      mask: 'c',
    },
    long: {
      model: 'chatgpt-image-latest',
      prompt: 'A red ball',
      size: '1536x1024',
      quality: 'low',
      images: [{ file_id: 'file-1' }],
    },
    dear: { model: 'dall-e-3', prompt: 'A red ball', size: '1792x1024', quality: 'hd', n: 1 },
    square: { model: 'dall-e-3', prompt: 'A red ball', size: '1024x1024', quality: 'hd', image: 'a' },
    small: { prompt: 'A red ball', size: '256x256', image: { file_id: 'file-2' }, mask: { file_id: 'file-3' } },
    other: { model: 'flux', prompt: 'A red ball', 'image[]': ['a'] },
    odd: { model: 'dall-e-3', prompt: 'A red ball', size: '256x256', image: 'a' },
    many: { model: 'flux', prompt: 'A red ball', n: 129, image: 'a' },
  },
  responses: {
    reported: { created: 1, data: [{ b64_json: 'a' }, { b64_json: 'b' }, { b64_json: 'c' }], usage: tokens },
    bare: { data: [{ url: 'u' }], usage: bare },
    unreported: { data: [{ url: 'u' }] },
    empty: { data: [] },
  },
  streams: {
    edited: [
      { type: 'image_edit.partial_image', b64_json: 'a' },
      { type: 'image_edit.completed', b64_json: 'a', usage: tokens },
      { type: 'image_edit.completed', b64_json: 'b' },
    ],
    generated: [{ type: 'image_generation.started' }, { type: 'image_generation.completed' }],
    failed: [{ type: 'error', error: { message: 'M', type: 'server_error' } }],
    broken: [{ b64_json: 'a' }],
  },
}

const moderations: OperationBodies = {
  requests: {
    texts: { input: ['Hello there', { type: 'image_url', image_url: { url: 'u' } }], model: 'm' },
    text: { input: 'Hello there' },
    odd: { input: 7 },
  },
  responses: { results: { model: 'm', results: [{ flagged: false }, {}] }, other: { data: [] } },
}

const speech: OperationBodies = {
  requests: {
    characters: { model: 'tts-1-hd', input: 'Grüße 👋', voice: { id: 'voice_1' } },
    tokens: {
      model: 'gpt-4o-mini-tts',
      input: 'Hello there',
      voice: 'alloy',
      instructions: 'Speak slowly',
      stream_format: 'sse',
    },
    implied: { input: 'Hello there', voice: 'alloy' },
    empty: { input: '' },
  },
  streams: {
    reported: [
      { type: 'speech.audio.delta', audio: 'a' },
      { type: 'speech.audio.done', usage: tokens },
    ],
    bare: [{ type: 'speech.audio.done', usage: bare }],
  },
}

const transcriptions: OperationBodies = {
  requests: {
    whisper: { file: { seconds: 61.2, name: 'a.mp3' }, prompt: 'Names', response_format: 'json', stream: true },
    tokens: { model: 'gpt-4o-transcribe', file: { seconds: 30 } },
    odd: { model: 'whisper-1', file: 'a' },
    none: {},
  },
  responses: {
    tokens: { text: 'Hello there', usage: { type: 'tokens', ...bare } },
    seconds: { text: 'Hello there', usage: { type: 'duration', seconds: 61 } },
    duration: { text: 'Hello there', duration: 61.4 },
    silent: { text: '' },
    srt: '1\n00:00:01,000 --> 00:01:02,500\nHello\n\n2\n01:00:00,000 --> 01:00:03,500\nthere\n',
    vtt: 'WEBVTT\n\n00:04.120 --> 00:09.500\nHello\n',
    text: 'Hello there',
    endless: { text: 'A', usage: { seconds: 2_000_000 } },
  },
  streams: {
    reported: [
      { type: 'transcript.text.delta', delta: 'Hello ' },
      { type: 'transcript.text.delta', delta: 'there' },
      { type: 'transcript.text.done', text: 'Hello there', usage: tokens },
    ],
  },
}

const completions: OperationBodies = {
  requests: {
    several: {
      model: 'm',
      prompt: ['Hello there', 'Another'],
      suffix: 'end',
      n: 2,
      best_of: 3,
      max_tokens: 50,
      stream: true,
      stream_options: { include_usage: true, other: 1 },
    },
    tokens: { model: 'm', prompt: [1, 2, 3], best_of: 1, n: 2 },
    one: { model: 'm', prompt: 'Hello there', stream_options: { include_usage: true } },
    empty: { model: 'm', prompt: '' },
  },
  responses: {
    reported: {
      id: 'c',
      model: 'm',
      choices: [
        { index: 0, text: 'Hello' },
        { index: 1, text: 'there' },
      ],
      usage: { prompt_tokens: 7, completion_tokens: 2 },
    },
    bare: { choices: [{ text: '' }] },
    none: { choices: [] },
  },
  streams: {
    reported: [
      { id: 'c', model: 'm', choices: [{ index: 0, text: 'Hello' }] },
      { choices: [{ index: 1, text: 'there', finish_reason: 'stop' }] },
      { choices: [], usage: { prompt_tokens: 7, completion_tokens: 2 } },
      '[DONE]',
    ],
    bare: [{ id: 'c', created: 5, choices: [{ text: 'Hello', finish_reason: 'length' }] }],
    failed: [{ error: { message: 'M' } }],
    broken: ['no json'],
  },
}

const rerank: OperationBodies = {
  requests: {
    texts: {
      model: 'm',
      query: 'Which one',
      documents: ['Hello there', { text: 'Another' }],
      top_n: 1,
      instruction: 'More words',
    },
    many: { model: 'm', query: 'Which one', documents: ['a'], top_n: 10_001 },
  },
  responses: {
    jina: { model: 'm', results: [{}, {}], usage: { total_tokens: 9 } },
    cohere: {
      results: [{}],
      meta: { billed_units: { search_units: 2, input_tokens: 0 }, tokens: { input_tokens: 8 } },
    },
    units: { results: [{}], meta: { billed_units: { search_units: 2 } } },
    bare: { results: [{}] },
    empty: { results: [] },
  },
}

const embedContent: OperationBodies = {
  requests: {
    full: {
      model: 'm',
      content: { parts: [{ text: 'Hello' }, { text: 'there' }] },
      taskType: 'RETRIEVAL',
      title: 'T',
      outputDimensionality: 256,
    },
    snake: { model: 'm', content: { parts: [{ text: 'Hello' }] }, output_dimensionality: 128 },
    empty: { model: 'm', content: { parts: [] } },
  },
  responses: { one: { data: [{ embedding: [1, 2] }] } },
}
const batchEmbed: OperationBodies = {
  requests: {
    full: { model: 'm', requests: [embedContent.requests.full, embedContent.requests.snake] },
    none: { model: 'm', requests: [] },
  },
  responses: { two: { data: [{ embedding: [1, 2] }, { embedding: [3] }] } },
}

export const operationBodies: Record<string, OperationBodies> = {
  ...{ 'openai-embeddings': embeddings, 'openai-moderations': moderations, 'openai-speech': speech },
  ...{ 'openai-image-generations': images, 'openai-image-edits': images, 'openai-image-variations': images },
  ...{ 'openai-transcriptions': transcriptions, 'openai-completions': completions, rerank },
  ...{ 'gemini-embed-content': embedContent, 'gemini-batch-embed-contents': batchEmbed },
  ...{ 'openai-videos': video, 'video-generations': video, 'kling-videos': kling, 'jimeng-videos': jimeng },
}
