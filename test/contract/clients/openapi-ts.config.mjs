/** How the client with validation is made. Its imports name their files, so Node runs it as it is. */
// biome-ignore lint/style/noDefaultExport: the generator reads this one
export default {
  input: process.env.CONTRACT,
  output: { path: 'client', module: { extension: '.ts' } },
  plugins: ['@hey-api/client-fetch', 'zod', { name: '@hey-api/sdk', validator: 'zod' }],
};
