/** Bodies of Gemini that have every field the gateway reads. */

import type { ExactBodies } from './bodies.ts'
import { geminiRequests as requests } from './gemini-requests.ts'

const picture = { mimeType: 'image/png', data: 'iVBORw0KGgo=' }

const usageMetadata = {
  ...{ promptTokenCount: 100, toolUsePromptTokenCount: 11, thoughtsTokenCount: 20, candidatesTokenCount: 40 },
  ...{ cachedContentTokenCount: 30, totalTokenCount: 171 },
  promptTokensDetails: [
    { modality: 'TEXT', tokenCount: 60 },
    { modality: 'AUDIO', tokenCount: 15 },
    { modality: 'IMAGE', tokenCount: 25 },
  ],
  cacheTokensDetails: [
    { modality: 'AUDIO', tokenCount: 5 },
    { modality: 'IMAGE', tokenCount: 4 },
  ],
  candidatesTokensDetails: [
    { modality: 'AUDIO', tokenCount: 8 },
    { modality: 'IMAGE', tokenCount: 6 },
  ],
}
const grounding = {
  webSearchQueries: ['q1', 'q2'],
  groundingChunks: [
    { web: { uri: 'https://example.com/1', title: 'One' } },
    { maps: { uri: 'https://example.com/2', title: 'Two' } },
    { retrievedContext: { uri: 'https://example.com/3', title: 'Three' } },
    { web: { title: 'none' } },
  ],
  groundingSupports: [
    { segment: { startIndex: 2, endIndex: 6, text: 'x' }, groundingChunkIndices: [0, 2, 3] },
    { segment: {}, groundingChunkIndices: [1] },
  ],
}
const citationMetadata = {
  citations: [
    { uri: 'https://example.com/r', title: 'R', startIndex: 1, endIndex: 4 },
    { uri: 'https://example.com/s' },
    { title: 'none' },
  ],
}
const logprobsResult = {
  chosenCandidates: [{ token: 'A', logProbability: -0.5 }],
  topCandidates: [{ candidates: [{ token: 'B', logProbability: -1.5 }] }],
}
const head = { responseId: 'r1', modelVersion: 'm' }

const responses: ExactBodies['responses'] = {
  full: {
    ...{ ...head, usageMetadata },
    candidates: [
      {
        ...{ index: 0, finishReason: 'STOP', groundingMetadata: grounding, citationMetadata, logprobsResult },
        content: {
          role: 'model',
          parts: [
            { text: 'Hm', thought: true, thoughtSignature: 'c2ln' },
            { text: 'é四 Four' },
            { text: '', thoughtSignature: 'dGV4dA==' },
            { functionCall: { id: 'own', name: 'f', args: { a: 1 } }, thoughtSignature: 'Y2FsbA==' },
            { functionCall: { name: 'g' } },
            { inlineData: picture },
            { inlineData: { mimeType: 'audio/wav', data: 'UklG' } },
            { executableCode: { language: 'PYTHON', code: 'print(4)' } },
            { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '4' } },
            { toolCall: { toolType: 'GOOGLE_SEARCH_WEB', args: { queries: ['a', 'b', 'c'] } } },
          ],
        },
      },
      {
        index: 1,
        finishReason: 'RECITATION',
        content: { parts: [{ text: 'B' }] },
        citationMetadata: { citationSources: citationMetadata.citations },
      },
    ],
  },
  plain: {
    ...{
      ...head,
      candidates: [
        {
          finishReason: 'MAX_TOKENS',
          content: { parts: [{ text: 'A' }] },
          groundingMetadata: { groundingChunks: grounding.groundingChunks },
        },
      ],
    },
    usageMetadata: { promptTokenCount: 5, thoughtsTokenCount: 9, cachedContentTokenCount: 8 },
  },
}

const chunk = (parts: object[], more: object = {}) => ({
  ...head,
  candidates: [{ index: 0, content: { role: 'model', parts }, ...more }],
})

const streams: ExactBodies['streams'] = {
  full: [
    { ...chunk([{ text: 'Hm', thought: true }]), usageMetadata: { promptTokenCount: 100 } },
    chunk([{ text: '', thought: true, thoughtSignature: 'c2ln' }]),
    chunk([{ text: 'é四 ' }], { logprobsResult }),
    chunk([{ text: 'Four' }], { groundingMetadata: grounding, citationMetadata }),
    chunk([
      { functionCall: { id: 'own', name: 'f', args: { a: 1 } }, thoughtSignature: 'Y2FsbA==' },
      { functionCall: { name: 'g' } },
    ]),
    chunk([
      { inlineData: picture },
      { inlineData: { mimeType: 'audio/wav', data: 'UklG' } },
      { inlineData: { mimeType: 'audio/wav', data: 'AAAA' } },
    ]),
    chunk([
      { executableCode: { language: 'PYTHON', code: 'print(4)' } },
      { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '4' } },
    ]),
    chunk([{ toolCall: { toolType: 'GOOGLE_SEARCH_IMAGE', args: { queries: ['a', 'b', 'c'] } } }]),
    { ...chunk([], { finishReason: 'STOP' }), usageMetadata },
  ],
  blocked: [{ promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: { promptTokenCount: 4 } }],
  failed: [chunk([{ text: 'A' }]), { error: { code: 503, message: 'Busy', status: 'UNAVAILABLE' } }],
  broken: [chunk([{ text: 'A' }]), chunk([], { finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage: 'bad' })],
}

const google = (code: number | undefined, status: string, details: object[] = [], message = 'M') => ({
  error: { code, message, status, details },
})
const type = 'type.googleapis.com/google.rpc.'

const errors: ExactBodies['errors'] = [
  [
    400,
    google(400, 'INVALID_ARGUMENT', [
      {
        '@type': `${type}ErrorInfo`,
        reason: 'API_KEY_INVALID',
        domain: 'googleapis.com',
        metadata: { quota_limit: 'PerDay', secret: 'projects/1' },
      },
    ]),
  ],
  [
    429,
    google(429, 'RESOURCE_EXHAUSTED', [
      {
        '@type': `${type}QuotaFailure`,
        violations: [{ quotaId: 'PerMinute', subject: 'projects/1' }, { quotaId: 'a/b' }],
      },
      { '@type': `${type}RetryInfo`, retryDelay: '34.0748s' },
      { '@type': `${type}Help`, links: [] },
    ]),
  ],
  [0, [google(404, 'NOT_FOUND')]],
  [500, google(undefined, '')],
  [0, google(undefined, 'UNAVAILABLE')],
  [
    400,
    google(
      400,
      'INVALID_ARGUMENT',
      [],
      'The input token count (5000) exceeds the maximum number of tokens allowed (4096).',
    ),
  ],
  [0, { promptFeedback: { blockReason: 'SAFETY' } }],
  [0, { promptFeedback: { blockReason: 'SAFETY' }, candidates: [{}] }],
  [0, { candidates: [], message: 'M' }],
  [0, { usageMetadata: {}, message: 'M' }],
  [502, { message: 'M' }],
]

export const geminiBodies: ExactBodies = { requests, responses, streams, errors, asked: { model: 'm', stream: true } }
