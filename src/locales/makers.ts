/** Names of providers and of makers of models. Their English name is their identity; other languages may have another. */
import { type Language, languageCodes } from './languages.ts'

const names: Partial<Record<Language, Record<string, string>>> = {
  zh: {
    '01.AI': '零一万物',
    '360': '360 智脑',
    'AI Proxy knowledge base': 'AI Proxy 知识库',
    'Advanced custom': '高级自定义',
    'Alibaba Cloud': '阿里云',
    'Alibaba Qwen': '阿里通义千问',
    BAAI: '智源',
    Baichuan: '百川智能',
    Baidu: '百度',
    'Baidu Qianfan V2': '百度千帆 V2',
    'Baidu Wenxin Qianfan': '百度文心千帆',
    ByteDance: '字节跳动',
    Coze: 'Coze 扣子',
    Custom: '自定义',
    DeepSeek: 'DeepSeek 深度求索',
    'Doubao videos': '豆包视频',
    'FastGPT knowledge base': 'FastGPT 知识库',
    Jimeng: '即梦',
    Kling: '可灵',
    'Lingyi Wanwu': '零一万物',
    Moonshot: 'Moonshot 月之暗面',
    'Moonshot AI': '月之暗面',
    'OpenAI-compatible videos': 'OpenAI 兼容视频',
    SiliconCloud: '硅基流动',
    StepFun: '阶跃星辰',
    Tencent: '腾讯',
    'Tencent Hunyuan': '腾讯混元',
    'Volcengine Ark/Doubao': '火山方舟 / 豆包',
    Zhipu: '智谱',
    'Zhipu ChatGLM': '智谱 ChatGLM',
    'Zhipu GLM-4V': '智谱 GLM-4V',
    iFLYTEK: '科大讯飞',
    'iFlytek Spark': '讯飞星火',
  },
}

/** Name of a provider or maker for a reader. @param name the English one */
export const nameIn = (language: Language, name: string): string => names[language]?.[name] ?? name

/** Whether it contains the text in any language. @param name the English one */
export const isNamed = (name: string, text: string): boolean =>
  languageCodes.some(code => nameIn(code, name).toLowerCase().includes(text.toLowerCase()))
