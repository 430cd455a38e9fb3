/** Requests for videos that have every field the gateway reads, in the formats of all clients. */
import type { OperationBodies } from './operations.ts'

const picture = 'https://example.com/a.png'
export const video: OperationBodies = {
  requests: {
    full: {
      ...{
        model: 'm',
        prompt: 'A ball',
        seconds: '8',
        size: '1280x720',
        first_frame: picture,
        last_frame: { url: `${picture}?l` },
      },
      ...{
        reference_images: [{ image_url: { url: `${picture}?r` } }],
        video: 'https://example.com/v.mp4',
        seed: '7',
        sound: 'on',
      },
      ...{ negative_prompt: 'No cats', metadata: { watermark: true, model: 'm' } },
    },
    other: {
      ...{
        model: 'm',
        prompt: 'A ball',
        duration: 5,
        resolution: '1080P',
        aspect_ratio: '9:16',
        input_reference: picture,
      },
      ...{
        image: 'iVBORw0K',
        images: ['/9j/4AAQ', 'data:image/webp;base64,UklGR'],
        image_tail: 'UklGRAAA',
        video_url: 'https://example.com/v.mp4',
      },
      ...{ generate_audio: false, metadata: '{"a":1}', seed: -3 },
    },
    mode: { model: 'm', prompt: 'A ball', mode: 'pro', ratio: '1:1', seconds: 3600 },
    named: { model: 'm', prompt: 'A ball', size: '720P', ratio: '1:1' },
    star: { model: 'm', prompt: 'A ball', size: '720*1280', mode: 'std' },
    ...Object.fromEntries(
      [
        { size: '7x7' },
        { ratio: '5:1' },
        { resolution: '9p' },
        { size: '1280x720', resolution: '1080p' },
        { seconds: 0 },
        { seconds: 3601 },
        { seconds: 1.5 },
      ].map(wrong => [`wrong ${JSON.stringify(wrong)}`, { model: 'm', prompt: 'A ball', ...wrong }]),
    ),
  },
}
export const kling: OperationBodies = {
  requests: {
    lists: {
      ...{
        model_name: 'kling-v2',
        prompt: 'A ball',
        duration: '5',
        mode: 'pro',
        aspect_ratio: '16:9',
        cfg_scale: 0.5,
        camera_control: {},
        watermark_info: {},
      },
      image_list: [
        { type: 'first_frame', image_url: picture },
        { type: 'end_frame', image_url: `${picture}?l` },
        { image_url: `${picture}?r` },
      ],
      video_list: [{ video_url: 'https://example.com/v.mp4' }],
    },
    plain: {
      prompt: 'A ball',
      image: picture,
      image_tail: `${picture}?l`,
      negative_prompt: 'No cats',
      static_mask: 'x',
      dynamic_masks: [],
    },
    model: { model: 'kling-v3', prompt: 'A ball' },
  },
}
export const jimeng: OperationBodies = {
  requests: {
    pictures: {
      req_key: 'jimeng_i2v_first_tail_v30',
      prompt: 'A ball',
      frames: 121,
      image_urls: [picture, `${picture}?l`],
      seed: 7,
      aspect_ratio: '16:9',
    },
    binary: { req_key: 'jimeng_ti2v_v30_pro', prompt: 'A ball', frames: 241, binary_data_base64: ['iVBORw0K'] },
    plain: { req_key: 'jimeng_vgfm_t2v_l20', prompt: 'A ball' },
    frames: { req_key: 'jimeng_t2v_v30', prompt: 'A ball', frames: 120 },
    three: { req_key: 'jimeng_t2v_v30', prompt: 'A ball', image_urls: [picture, picture, picture] },
  },
}
