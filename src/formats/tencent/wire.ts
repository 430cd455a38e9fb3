/** The body of ChatCompletions as it is written here. https://cloud.tencent.com/document/product/1729/105701 (read 2026-11) */

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
