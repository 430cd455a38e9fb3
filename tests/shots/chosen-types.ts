/** The types of channels whose drawers are pictured. */
export const chosenTypes = [
  { name: 'channel-alibaba', title: 'Add a channel of Alibaba', type: 17 },
  { name: 'channel-bedrock', title: 'Add a channel of AWS Bedrock', type: 33 },
  { name: 'channel-dify', title: 'Add a channel of Dify', type: 37 },
  { name: 'channel-vertex', title: 'Add a channel of Vertex AI', type: 41 },
  { name: 'channel-routes', title: 'Add a channel of routes', type: 58 },
]
