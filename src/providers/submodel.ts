/** Submodel: open models behind OpenAI's API. https://docs.submodel.ai (read 2026-11) */
import { openAiCompatible, standardApis } from './kit/openai-compatible.ts'

export const submodel = openAiCompatible({
  type: 53,
  label: 'Submodel',
  base_url: 'https://llm.submodel.ai',
  key_format: '',
  apis: standardApis('chat'),
})
