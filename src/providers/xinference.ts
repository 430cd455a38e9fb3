/** Xinference: models on the operator's own machines. https://inference.readthedocs.io (read 2026-11) */
import { openAiCompatible, standardApis } from './kit/openai-compatible.ts'
import { withDocuments } from './kit/rerank.ts'

export const xinference = openAiCompatible({
  type: 47,
  label: 'Xinference',
  key_format: '',
  quirks: { optional_key: true, probe: { model: 'bge-reranker-v2-m3' } },
  apis: {
    ...standardApis('chat', 'completions', 'embeddings', 'image_generations'),
    ...standardApis('speech', 'transcriptions', 'translations'),
    rerank: { rewriteResponse: withDocuments },
  },
})
