/**
 * Channel types that cannot be chosen yet, because the gateway lacks their formats. Each entry has the address where
 * its API is described; the first is https://github.com/novicezk/midjourney-proxy (read 2026-11).
 */
import { modelsOf } from '../models/models.ts'
import { type Provider, provider } from './provider.ts'

export const planned: readonly Provider[] = [
  // https://github.com/novicezk/midjourney-proxy
  provider({ type: 2, label: 'Midjourney Proxy', key_format: 'secret' }),
  // https://github.com/litter-coder/midjourney-proxy-plus
  provider({ type: 5, label: 'Midjourney Proxy Plus', key_format: 'secret' }),
  // https://ai.google.dev/palm_docs
  provider({ type: 11, label: 'Google PaLM2', base_url: 'https://generativelanguage.googleapis.com' }),
  // https://cloud.baidu.com/doc/WENXINWORKSHOP/index.html
  provider({
    type: 15,
    label: 'Baidu Wenxin Qianfan',
    base_url: 'https://aip.baidubce.com',
    key_format: 'APIKey|SecretKey',
    quirks: { key_parts: [2] },
  }),
  // https://docs.bigmodel.cn
  provider({ type: 16, label: 'Zhipu ChatGLM', base_url: 'https://open.bigmodel.cn', key_format: 'id.secret' }),
  // https://help.aliyun.com/zh/model-studio/
  provider({
    type: 17,
    label: 'Alibaba Qwen',
    base_url: 'https://dashscope.aliyuncs.com',
    key_format: 'sk-…',
    quirks: { other: { meaning: 'plugin', example: '{"pdf_extracter":{}}' } },
  }),
  // https://www.xfyun.cn/doc/spark/Web.html
  provider({
    type: 18,
    label: 'iFlytek Spark',
    base_url: 'wss://spark-api.xf-yun.com',
    key_format: 'APPID|APISecret|APIKey',
    quirks: { default_other: 'v2.1', other: { meaning: 'model_version', example: 'v2.1' }, key_parts: [3] },
  }),
  // https://docs.aiproxy.io/dev/library
  provider({
    type: 21,
    label: 'AI Proxy knowledge base',
    base_url: 'https://api.aiproxy.io',
    models: modelsOf(1),
    quirks: { other: { meaning: 'knowledge_base' } },
  }),
  // https://cloud.tencent.com/document/product/1729
  provider({
    type: 23,
    label: 'Tencent Hunyuan',
    base_url: 'https://hunyuan.tencentcloudapi.com',
    key_format: 'AppId|SecretId|SecretKey',
    quirks: { key_parts: [3] },
  }),
  // https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-claude.html
  provider({
    type: 33,
    label: 'AWS Claude',
    key_format: 'AccessKey|SecretKey|Region',
    // With two parts: an API key of Bedrock and its region.
    quirks: { host_by_region: true, key_parts: [3, 2] },
  }),
  // https://docs.cohere.com/reference/chat
  provider({ type: 34, label: 'Cohere', base_url: 'https://api.cohere.ai' }),
  // https://github.com/Suno-API/Suno-API
  provider({ type: 36, label: 'Suno' }),
  // https://docs.dify.ai
  provider({ type: 37, label: 'Dify', base_url: 'https://api.dify.ai', key_format: 'app-…' }),
  // https://jina.ai/embeddings/
  provider({ type: 38, label: 'Jina', base_url: 'https://api.jina.ai', key_format: 'jina_…' }),
  // https://cloud.google.com/vertex-ai/generative-ai/docs
  provider({
    type: 41,
    label: 'Vertex AI',
    key_format: 'JSON',
    models: [...modelsOf(14), ...modelsOf(24), ...modelsOf(41)],
    quirks: { host_by_region: true, json_key: true, other: { meaning: 'region', example: 'us-central1' } },
  }),
  // https://huggingface.co/moka-ai/m3e-base
  provider({
    type: 44,
    label: 'MokaAI M3E',
    base_url: 'https://api.moka.ai',
    quirks: { probe: { kind: 'embeddings' }, other: { meaning: 'api_version' } },
  }),
]
