/** Veo at Vertex AI. https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/veo-video-generation (read 2026-11) */
import { FILM, fieldFlaw, type VideoWire } from './server.ts'

const MODEL = 'veo-3.1-generate-001'
const place = `projects/test-project/locations/us-central1/publishers/google/models/${MODEL}`

export const vertexVeo: VideoWire = {
  channel: { type: 41, key: 'AIza-vertex-key', other: 'us-central1' },
  model: MODEL,
  request: { seconds: 6, resolution: '1080p', aspect_ratio: '9:16', negative_prompt: 'rain', sound: false },
  seconds: 6,
  tells_no_length: true,
  authFlaw: ({ headers }) => (headers['x-goog-api-key'] === 'AIza-vertex-key' ? undefined : 'wrong key'),
  submits:
    /^POST \/v1\/(?:projects\/[\w-]+\/locations\/[\w-]+\/)?publishers\/google\/models\/[\w.-]+:predictLongRunning$/,
  submitFlaw: ({ body }) =>
    fieldFlaw(body, ['instances', 'parameters'], []) ??
    fieldFlaw(
      body.parameters,
      ['sampleCount', 'durationSeconds', 'resolution', 'generateAudio'],
      ['aspectRatio', 'negativePrompt', 'seed', 'personGeneration'],
    ),
  accepted: id => ({ name: `${place}/operations/${id}` }),
  refused: {
    status: 400,
    body: { error: { code: 400, message: 'the prompt is refused', status: 'INVALID_ARGUMENT' } },
  },
  asksFor: ({ method, target, body }) =>
    method === 'POST' && target === `/v1/${place}:fetchPredictOperation`
      ? new RegExp(`^${place}/operations/([\\w-]+)$`).exec(body.operationName)?.[1]
      : undefined,
  told: ({ id, status, url, reason }) => ({
    name: `${place}/operations/${id}`,
    ...((status === 'done' || status === 'failed') && { done: true }),
    ...(reason && { error: { code: 3, message: reason } }),
    ...(status === 'done' && {
      response: {
        raiMediaFilteredCount: 0,
        videos: url ? [{ bytesBase64Encoded: FILM.toString('base64'), mimeType: 'video/mp4' }] : [],
      },
    }),
  }),
  unknown: { status: 404, body: { error: { code: 404, message: 'no such operation', status: 'NOT_FOUND' } } },
}
