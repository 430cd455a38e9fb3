/** Gemini generateContent; fields of `generationConfig` are named as such. https://ai.google.dev/api/generate-content (read 2026-11) */
import { each, type Surface, words } from './surface.ts'

const functionDeclarations = [{ name: 'look' }]
const tools = [{ functionDeclarations }]

export const gemini: Surface = {
  field: {
    ...{
      model: 'm',
      contents: [{ role: 'user', parts: [{ text: 'Hello' }] }],
      systemInstruction: { parts: [{ text: 'x' }] },
    },
    ...{ tools, toolConfig: { functionCallingConfig: { mode: 'NONE' } }, cachedContent: 'cachedContents/a' },
    ...{ serviceTier: 'priority', safetySettings: [{}], labels: { a: 'b' }, modelArmorConfig: {}, store: true },
    ...{ automaticContinuation: true, continuationToken: 't' },
    ...config({ candidateCount: 2, maxOutputTokens: 9, stopSequences: ['x'], seed: 1 }),
    ...config({ temperature: 0.5, topK: 5, topP: 0.5, frequencyPenalty: 1, presencePenalty: 1 }),
    ...config({ responseMimeType: 'application/json', responseModalities: ['TEXT', 'IMAGE'], responseFormat: {} }),
    ...config({ responseLogprobs: true, logprobs: 2, thinkingConfig: { thinkingLevel: 'low' } }),
    ...config({ responseSchema: { type: 'OBJECT' }, responseJsonSchema: { type: 'object' } }),
    ...config({ imageConfig: { aspectRatio: '1:1' }, speechConfig: {}, mediaResolution: 'MEDIA_RESOLUTION_LOW' }),
    ...config({ routingConfig: { autoMode: {} }, modelSelectionConfig: { featureSelectionPreference: 'BALANCED' } }),
    ...config({
      audioTimestamp: true,
      audioTranscriptionConfig: {},
      translationConfig: {},
      generationOutputConfig: {},
    }),
    ...config({ enableAffectiveDialog: true, enableEnhancedCivicAnswers: true }),
  },
  beside: {
    toolConfig: { tools },
    'generationConfig.logprobs': { generationConfig: { responseLogprobs: true } },
    'generationConfig.responseSchema': { generationConfig: { responseMimeType: 'application/json' } },
    'generationConfig.responseJsonSchema': { generationConfig: { responseMimeType: 'application/json' } },
  },
  tool: {
    ...each(
      `codeExecution computerUse enterpriseWebSearch exaAiSearch fileSearch googleMaps googleSearch
      googleSearchRetrieval mcpServers parallelAiSearch retrieval urlContext`,
      name => ({ [name]: {} }),
    ),
    functionDeclarations: { functionDeclarations },
  },
  block: {
    translated: words(`text thought thoughtSignature functionCall functionResponse inlineData fileData executableCode
      codeExecutionResult`),
    dropped: words(`audioTranscription mediaProcessing mediaResolution partMetadata speechMetadata toolCall toolResponse
      videoMetadata`),
    refused: [],
  },
  event: {
    translated: words(`candidates usageMetadata modelVersion responseId promptFeedback candidate.content
      candidate.finishReason candidate.index candidate.groundingMetadata candidate.citationMetadata
      candidate.logprobsResult`),
    dropped: words(`createTime initialPromptTokenCount modelStatus candidate.avgLogprobs candidate.continuationToken
      candidate.finishMessage candidate.safetyRatings candidate.tokenCount candidate.urlContextMetadata`),
  },
}

function config(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [`generationConfig.${name}`, value]))
}
