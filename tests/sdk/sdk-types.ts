/** What the installed SDKs can send and read, as unions of names: fields, betas, tools, blocks and stream events. */
import type Anthropic from '@anthropic-ai/sdk'
import type * as Google from '@google/genai'
import type OpenAI from 'openai'

type Keys<T> = T extends unknown ? Extract<keyof T, string> : never
/** Names under `type`, or under another field that tells the members of a union apart. */
type Types<T, Field extends string = 'type'> = T extends { [key in Field]?: infer Name }
  ? string extends Name
    ? never
    : Extract<Name, string>
  : never
type Items<T> = T extends readonly (infer Item)[] ? Item : never

type Chat = OpenAI.Chat.ChatCompletionCreateParams
type ChatMessage = OpenAI.Chat.ChatCompletionMessageParam
type Chunk = OpenAI.Chat.ChatCompletionChunk
type Respond = OpenAI.Responses.ResponseCreateParams
type InputItem = OpenAI.Responses.ResponseInputItem
type Message = Anthropic.Beta.Messages.MessageCreateParams | Anthropic.Messages.MessageCreateParams
type Block = Anthropic.Beta.Messages.BetaContentBlockParam | Anthropic.Messages.ContentBlockParam
type MessageEvent = Anthropic.Beta.Messages.BetaRawMessageStreamEvent | Anthropic.Messages.RawMessageStreamEvent
type Delta = Anthropic.Beta.Messages.BetaRawContentBlockDelta | Anthropic.Messages.RawContentBlockDelta

/** One alias for each format and kind: the reader finds them by these names. */
export type openai_chat_field = Keys<Chat>
export type openai_chat_tool = Types<OpenAI.Chat.ChatCompletionTool>
export type openai_chat_block =
  | Types<Items<ChatMessage['content']>>
  | (ChatMessage extends infer Kind ? Types<Kind, 'role'> : never)
export type openai_chat_event = Keys<Chunk> | `delta.${Keys<Chunk['choices'][number]['delta']>}`

export type openai_responses_field = Keys<Respond>
export type openai_responses_tool = Types<OpenAI.Responses.Tool>
export type openai_responses_block = Types<InputItem> | Types<OpenAI.Responses.ResponseInputContent>
export type openai_responses_event =
  | Types<OpenAI.Responses.ResponseStreamEvent>
  | `item.${Types<OpenAI.Responses.ResponseOutputItem>}`

export type anthropic_field = Exclude<Keys<Message>, 'betas' | 'user_profile_id' | 'workspace_id'>
export type anthropic_beta = Extract<Anthropic.Beta.AnthropicBeta, string>
export type anthropic_tool =
  | Types<NonNullable<Items<Anthropic.Beta.Messages.MessageCreateParams['tools']>>>
  | Types<NonNullable<Items<Anthropic.Messages.MessageCreateParams['tools']>>>
export type anthropic_block = Types<Block>
export type anthropic_event =
  | Types<MessageEvent>
  | Types<Delta>
  | `block.${Types<Anthropic.Beta.Messages.BetaContentBlock | Anthropic.Messages.ContentBlock>}`

/** The SDK's config holds fields of the request and of its `generationConfig`, and options of the SDK itself. */
type Option = 'httpOptions' | 'abortSignal' | 'automaticFunctionCalling' | 'shouldReturnHttpResponse'
type OfRequest =
  | 'systemInstruction'
  | 'tools'
  | 'toolConfig'
  | 'cachedContent'
  | 'serviceTier'
  | 'safetySettings'
  | 'labels'
  | 'modelArmorConfig'
  | 'store'
  | 'automaticContinuation'
  | 'continuationToken'
type Configured = Exclude<Keys<Google.GenerateContentConfig>, Option>
type OfConfig = Exclude<Configured, OfRequest> | Keys<Google.GenerationConfig>
/** What the SDK makes of a response for its callers. */
type Getter =
  | 'automaticFunctionCallingHistory'
  | 'codeExecutionResult'
  | 'data'
  | 'executableCode'
  | 'functionCalls'
  | 'sdkHttpResponse'
  | 'text'

export type gemini_field = Extract<Configured, OfRequest> | `generationConfig.${OfConfig}`
export type gemini_tool = Keys<Google.Tool>
export type gemini_block = Keys<Google.Part>
export type gemini_event = Exclude<Keys<Google.GenerateContentResponse>, Getter> | `candidate.${Keys<Google.Candidate>}`
