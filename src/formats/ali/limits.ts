/** What DashScope's own generation cannot carry. https://help.aliyun.com/zh/model-studio/qwen-api-reference (read 2026-11) */
import type { FormatLimits } from '../format.ts'
import { openAiToolName } from '../openai-shared.ts'
import { allowedTools, bareSchema, openAiNames, ownMedia, systemFirst, unstored } from '../translate/losses.ts'

export const limits: FormatLimits = {
  stop: stop => stop,
  tool_name: openAiToolName,
  video_urls: true,
  losses: {
    dropped: {
      logit_bias: 'There is no such field.',
      logprobs: 'There is no such field.',
      modalities: 'Responses are text.',
      verbosity: 'There is no such field.',
      user: 'There is no such field.',
      names: 'Only tools have names.',
      cache_marks: 'DashScope caches by itself.',
      image_detail: 'There is no such field.',
      citation_wish: 'There is no such field.',
      error_mark: 'A tool message has no error mark; its text describes the error.',
      old_citations: 'Citations exist in responses only.',
    },
    refused: {
      choices: 'A response has one choice.',
      file_url: 'Documents are not read.',
      stored_conversation: unstored,
    },
    changed: {
      system: systemFirst,
      sampling: '`frequency_penalty` is left out. `top_p` stays between 0.001 and 0.999, `temperature` below 2.',
      thoughts: 'Thinking is not sent back.',
      reasoning:
        'An effort becomes a budget of tokens, up to 38,912; beyond it the model’s own limit counts. Models without a choice get neither.',
      forced_tools: 'A tool that must be called is named when it is the only one; of several, the model chooses.',
      schema: 'JSON mode, and the schema in the instructions; while the model thinks, the instructions alone.',
      bare_schema: bareSchema.replace('OpenAI', 'JSON mode'),
      result_media: 'Images in a tool result follow it in a user message.',
      documents:
        'A document of plain text is sent as a text; any other is sent as a file, which DashScope refuses for most models.',
      hosted_tools:
        'Tools that a provider runs itself are left out; a model name that ends in `-internet` searches the web.',
      own_media: ownMedia,
      allowed_tools: allowedTools,
      tool_names: openAiNames,
    },
    omitted: {},
  },
}
