/** Requests of Gemini that have every field the gateway reads. */
import type { ExactBodies } from './bodies.ts'

const picture = { mimeType: 'image/png', data: 'iVBORw0KGgo=' }

export const geminiRequests: ExactBodies['requests'] = {
  settings: {
    systemInstruction: { role: 'user', parts: [{ text: 'Be brief.' }, { text: 'Be kind.' }] },
    contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
    ...{
      cachedContent: 'cachedContents/1',
      labels: { team: 'a' },
      safetySettings: [{ category: 'C', threshold: 'T' }],
    },
    generationConfig: {
      ...{
        temperature: 0.5,
        topP: 0.9,
        topK: 40,
        seed: 7,
        maxOutputTokens: 90,
        candidateCount: 2,
        stopSequences: ['END'],
      },
      ...{
        presencePenalty: 0.1,
        frequencyPenalty: 0.2,
        responseLogprobs: true,
        logprobs: 3,
        responseModalities: ['TEXT', 'IMAGE'],
      },
      ...{
        responseMimeType: 'application/json',
        responseSchema: { type: 'OBJECT', nullable: true },
        mediaResolution: 'M',
      },
      thinkingConfig: { includeThoughts: true, thinkingBudget: 2048 },
    },
    tools: [
      {
        functionDeclarations: [
          { name: 'f', description: 'F', parameters: { type: 'OBJECT', properties: { a: { type: 'STRING' } } } },
          { name: 'g', parametersJsonSchema: { type: 'object' }, response: { type: 'STRING' } },
        ],
      },
      { googleSearch: {} },
      { codeExecution: {} },
      { urlContext: {} },
    ],
    toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['f', 'g'] } },
  },
  conversation: {
    system_instruction: { parts: { text: 'Snake' } },
    generation_config: {
      thinking_config: { thinking_level: 'HIGH' },
      response_mime_type: 'text/plain',
      response_json_schema: { type: 'object' },
    },
    tool_config: { function_calling_config: { mode: 'NONE' } },
    contents: [
      {
        role: 'user',
        parts: [
          { text: 'A' },
          { inlineData: picture, mediaResolution: { level: 'MEDIA_RESOLUTION_LOW' } },
          { inlineData: { mimeType: 'audio/wav', data: 'UklG' } },
          { inlineData: { mimeType: 'application/pdf', data: 'JVBERi0=' } },
          {
            fileData: { fileUri: 'https://example.com/a.png', mimeType: 'image/png' },
            mediaResolution: { level: 'MEDIA_RESOLUTION_ULTRA_HIGH' },
          },
          { fileData: { fileUri: 'gs://bucket/v.mp4', mimeType: 'video/mp4' } },
          { fileData: { fileUri: 'https://youtu.be/1' } },
          {
            file_data: { file_uri: 'https://generativelanguage.googleapis.com/v1beta/files/1', mime_type: 'audio/mp3' },
          },
        ],
      },
      {
        role: 'model',
        parts: [
          { text: 'Hm', thought: true, thoughtSignature: 'c2ln' },
          { text: 'B' },
          { text: 'B2', thoughtSignature: 'dGV4dA==' },
          { functionCall: { name: 'f', args: { a: 1 } }, thoughtSignature: 'Y2FsbA==' },
          { functionCall: { id: 'own', name: 'g' } },
          { executableCode: { language: 'PYTHON', code: 'print(4)' } },
          { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '4' } },
          { toolCall: { toolType: 'GOOGLE_SEARCH_WEB', args: { queries: ['q'] }, id: 't' } },
          { toolResponse: { toolType: 'GOOGLE_SEARCH_WEB', response: {}, id: 't' } },
          { thoughtSignature: 'YmFyZQ==' },
        ],
      },
      { role: 'model', parts: [{ text: 'joined' }] },
      {
        role: 'function',
        parts: [
          { functionResponse: { name: 'f', response: { result: 'R' }, parts: [{ inlineData: picture }] } },
          { functionResponse: { id: 'own', name: 'g', response: { error: 'bad' } } },
          { functionResponse: { name: 'h', response: { a: 1, b: 2 } } },
        ],
      },
      { role: 'model' },
      { parts: [{ text: 'no role' }] },
    ],
  },
  signed: {
    contents: [
      { role: 'user', parts: [{ text: 'Hi' }, { inlineData: picture }] },
      {
        role: 'model',
        parts: [
          { text: 'Hm', thought: true, thoughtSignature: 'c2ln' },
          { text: 'B', thoughtSignature: 'dGV4dA==' },
          { functionCall: { name: 'f', args: { a: 1 } }, thoughtSignature: 'Y2FsbA==' },
        ],
      },
      {
        role: 'user',
        parts: [{ functionResponse: { name: 'f', response: { error: 'bad' }, parts: [{ inlineData: picture }] } }],
      },
    ],
  },
  json: {
    contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
    generationConfig: { responseMimeType: 'application/json', thinkingConfig: { thinkingBudget: 0 } },
    toolConfig: { functionCallingConfig: { mode: 'AUTO' } },
  },
  dynamic: {
    contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
    generationConfig: {
      responseMimeType: 'text/x.enum',
      responseSchema: { type: 'STRING', enum: ['a'] },
      thinkingConfig: { thinkingBudget: -1 },
    },
    toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['f'] } },
    tools: [{ functionDeclarations: [{ name: 'f' }] }],
  },
}
