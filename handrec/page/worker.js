// handrec at work, beside the page: told to start, then command by command. Says what it has loaded, that it is ready, what came out.
"use strict";

const load = self.fetch;
self.fetch = async (...asked) => {
  const answer = await load(...asked);
  if (!answer.ok) throw new Error(`${answer.url}: ${answer.status}`);
  const counted = new TransformStream({
    transform(chunk, through) {
      postMessage({ loaded: chunk.byteLength });
      through.enqueue(chunk);
    },
  });
  return new Response(answer.body.pipeThrough(counted), answer);
};

let carriedOut, toPy;

async function start(files) {
  const [python, wheel, own] = ["pyodide.mjs", ".whl", "handrec.zip"].map((end) => files.find((file) => file.endsWith(end)));
  const archives = [own, wheel].map(async (file) => (await fetch(file)).arrayBuffer());
  const { loadPyodide } = await import(python);
  const pyodide = await loadPyodide({ indexURL: new URL("./", python).href, stdin: () => null, env: { HOME: "/home/pyodide", PYDANTIC_DISABLE_PLUGINS: "__all__" } });
  const where = pyodide.runPython("import site; site.getsitepackages()[0]");
  for (const archive of archives) pyodide.unpackArchive(await archive, "zip", { extractDir: where });
  carriedOut = pyodide.pyimport("handrec.cli.browser").carried_out;
  toPy = pyodide.toPy;
  return {};
}

function run(command, options, name, bytes) {
  const found = carriedOut(command, options, name, toPy(bytes));
  const [code, out, err, files] = found.toJs({ create_pyproxies: false });
  found.destroy();
  return { code, out, err, files };
}

addEventListener("message", async ({ data: { id, files, command, options, name, bytes } }) => {
  try {
    postMessage({ id, done: files ? await start(files) : run(command, options, name, bytes) });
  } catch (error) {
    postMessage({ id, failed: String(error.message ?? error) });
  }
});
