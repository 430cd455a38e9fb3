/** OpenAI Responses. https://platform.openai.com/docs/api-reference/responses/create (read 2026-11) */
import { each, type Surface, words } from './surface.ts'

const tools = [{ type: 'function', name: 'look', parameters: { type: 'object' } }]

export const openAiResponses: Surface = {
  field: {
    ...{ model: 'm', input: 'Hello', instructions: 'x', max_output_tokens: 9, max_tool_calls: 3 },
    ...{ temperature: 0.5, top_p: 0.5, top_logprobs: 2, include: ['message.output_text.logprobs'] },
    ...{ reasoning: { effort: 'low' }, text: { format: { type: 'json_object' } }, truncation: 'auto' },
    ...{ stream: true, stream_options: {}, tools, tool_choice: 'none', parallel_tool_calls: false },
    ...{ background: true, store: true, previous_response_id: 'resp_1', conversation: 'conv_1', prompt: { id: 'p' } },
    ...{ access_programs: {}, context_management: [{ type: 'compaction' }], image: {}, moderation: {} },
    ...{ metadata: { a: 'b' }, user: 'u', safety_identifier: 'u', service_tier: 'priority' },
    ...{ prompt_cache_key: 'k', prompt_cache_options: {}, prompt_cache_retention: '24h' },
  },
  beside: { tool_choice: { tools }, parallel_tool_calls: { tools }, stream_options: { stream: true } },
  own: ['background'],
  tool: {
    ...each(
      `apply_patch computer computer_use_preview file_search image_generation local_shell programmatic_tool_calling
      tool_search web_search web_search_2025_08_26 web_search_preview web_search_preview_2025_03_11`,
      type => ({ type }),
    ),
    function: tools[0]!,
    custom: { type: 'custom', name: 'patch' },
    code_interpreter: { type: 'code_interpreter', container: { type: 'auto' } },
    mcp: { type: 'mcp', server_label: 'a', server_url: 'https://a.example' },
    namespace: { type: 'namespace', name: 'a', description: 'd', tools },
    shell: { type: 'shell', environment: { type: 'container_auto' } },
  },
  block: {
    translated: words(`message reasoning function_call function_call_output custom_tool_call custom_tool_call_output
      tool_search_call tool_search_output additional_tools input_text input_image input_file`),
    dropped: words(`apply_patch_call apply_patch_call_output code_interpreter_call compaction compaction_trigger
      computer_call computer_call_output file_search_call image_generation_call local_shell_call local_shell_call_output
      mcp_approval_request mcp_approval_response mcp_call mcp_list_tools program program_output shell_call
      shell_call_output configuration_update web_search_call`),
    refused: words('item_reference'),
  },
  event: {
    translated: words(`error response.completed response.incomplete response.failed
      response.output_item.added response.output_item.done response.content_part.added response.content_part.done
      response.output_text.delta response.output_text.done response.output_text.annotation.added response.refusal.delta
      response.function_call_arguments.delta response.reasoning_summary_part.added
      response.reasoning_summary_text.delta response.reasoning_text.delta
      item.message item.reasoning item.function_call item.custom_tool_call item.image_generation_call
      item.web_search_call item.file_search_call item.code_interpreter_call`),
    // What they tell stands in the events above as well, or has no place in other formats.
    dropped: words(`response.created response.queued response.in_progress response.compaction.compacting
      response.function_call_arguments.done response.custom_tool_call_input.delta response.custom_tool_call_input.done
      response.refusal.done response.reasoning_summary_part.done response.reasoning_summary_text.done
      response.reasoning_text.done response.audio.delta response.audio.done response.audio.transcript.delta
      response.audio.transcript.done response.code_interpreter_call.in_progress
      response.code_interpreter_call.interpreting response.code_interpreter_call.completed
      response.code_interpreter_call_code.delta response.code_interpreter_call_code.done
      response.file_search_call.in_progress response.file_search_call.searching response.file_search_call.completed
      response.image_generation_call.in_progress response.image_generation_call.generating
      response.image_generation_call.partial_image response.image_generation_call.completed
      response.mcp_call.in_progress response.mcp_call.completed response.mcp_call.failed
      response.mcp_call_arguments.delta response.mcp_call_arguments.done response.mcp_list_tools.in_progress
      response.mcp_list_tools.completed response.mcp_list_tools.failed response.shell_call_command.added
      response.shell_call_command.delta response.shell_call_command.done response.shell_call_output_content.delta
      response.shell_call_output_content.done response.web_search_call.in_progress
      response.web_search_call.searching response.web_search_call.completed
      item.additional_tools item.apply_patch_call item.apply_patch_call_output item.compaction item.computer_call
      item.computer_call_output item.custom_tool_call_output item.function_call_output item.local_shell_call
      item.local_shell_call_output item.mcp_approval_request item.mcp_approval_response item.mcp_call
      item.mcp_list_tools item.program item.program_output item.shell_call item.shell_call_output
      item.tool_search_call item.tool_search_output`),
  },
}
