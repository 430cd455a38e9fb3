/**
 * Bodies of ChatCompletions as far as they are written here; what is read has OpenAI's names in PascalCase, and errors.
 * https://cloud.tencent.com/document/product/1729/105701 (read 2026-11)
 */

export type HunyuanBody = {
  Model: string
  Messages: HunyuanMessage[]
  Stream: boolean
  Temperature?: number
  TopP?: number
  Seed?: number
  Stop?: string[]
  Tools?: HunyuanTool[]
  ToolChoice?: 'none' | 'auto' | 'custom'
  CustomTool?: HunyuanTool
  EnableEnhancement?: true
  EnableThinking?: boolean
}

export type HunyuanMessage = {
  Role: string
  Content?: string
  Contents?: HunyuanContent[]
  ToolCallId?: string
  ToolCalls?: HunyuanCall[]
}

export type HunyuanContent = { Type: 'text'; Text: string } | { Type: 'image_url'; ImageUrl: { Url: string } }

export type HunyuanCall = {
  Id: string
  Type: 'function'
  Function: { Name: string; Arguments: string }
  Index: number
}

export type HunyuanTool = {
  Type: 'function'
  Function: { Name: string; Description?: string; Parameters: string }
}

/** A response has `Error`, an event `ErrorMsg`. */
export type HunyuanFailure = {
  Error?: { Code: string; Message: string }
  ErrorMsg?: { Msg: string; Code: number }
}
