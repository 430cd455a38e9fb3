/** Xinference: models of the operator's own. */
import { modelsOf } from '../models/models.ts'
import { openAiCompatible, plainly } from './openai.ts'
import { withDocuments } from './rerank.ts'

export const xinference = openAiCompatible({
  type: 47,
  label: 'Xinference',
  key_format: '',
  models: modelsOf(47),
  offers: {
    ...plainly('chat', 'completions', 'embeddings', 'image_generations', 'speech', 'transcriptions', 'translations'),
    rerank: { rewriteResponse: withDocuments },
  },
})
