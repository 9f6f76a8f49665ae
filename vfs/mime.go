package vfs

import (
	"path"
	"strings"
)

// ContentType returns the MIME type for a path by its extension, in either case. An
// unknown extension gives "application/octet-stream", which a browser neither runs nor
// shows. Text types carry "charset=utf-8". JSON, XML, and SVG do not: they declare
// their encoding themselves, and default to UTF-8.
//
// ContentType never asks the operating system, whose table differs from machine to
// machine. One calls .ts a video, another does not know .wasm.
func ContentType(p string) string {
	if t, known := types[strings.ToLower(path.Ext(p))]; known {
		return t
	}
	return "application/octet-stream"
}

// types maps extensions to MIME types: those that browsers load, and those that people
// put beside them.
var types = map[string]string{
	// documents
	".htm":   "text/html; charset=utf-8",
	".html":  "text/html; charset=utf-8",
	".md":    "text/markdown; charset=utf-8",
	".pdf":   "application/pdf",
	".txt":   "text/plain; charset=utf-8",
	".log":   "text/plain; charset=utf-8",
	".xhtml": "application/xhtml+xml",
	".xht":   "application/xhtml+xml",

	// code
	".cjs":  "text/javascript; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".cts":  "text/typescript; charset=utf-8",
	".frag": "text/plain; charset=utf-8",
	".glsl": "text/plain; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".jsx":  "text/jsx; charset=utf-8",
	".less": "text/x-less; charset=utf-8",
	".mjs":  "text/javascript; charset=utf-8",
	".mts":  "text/typescript; charset=utf-8",
	".py":   "text/x-python; charset=utf-8",
	".sass": "text/x-sass; charset=utf-8",
	".scss": "text/x-scss; charset=utf-8",
	".ts":   "text/typescript; charset=utf-8",
	".tsx":  "text/tsx; charset=utf-8",
	".vert": "text/plain; charset=utf-8",
	".wasm": "application/wasm",
	".wgsl": "text/wgsl; charset=utf-8",

	// data
	".atom":        "application/atom+xml",
	".csv":         "text/csv; charset=utf-8",
	".geojson":     "application/geo+json",
	".ics":         "text/calendar; charset=utf-8",
	".json":        "application/json",
	".json5":       "application/json5",
	".jsonl":       "application/jsonl",
	".jsonld":      "application/ld+json",
	".map":         "application/json",
	".ndjson":      "application/x-ndjson",
	".rss":         "application/rss+xml",
	".sqlite":      "application/vnd.sqlite3",
	".toml":        "application/toml",
	".tsv":         "text/tab-separated-values; charset=utf-8",
	".vtt":         "text/vtt; charset=utf-8",
	".webmanifest": "application/manifest+json",
	".xml":         "application/xml",
	".xsl":         "application/xslt+xml",
	".xslt":        "application/xslt+xml",
	".yaml":        "application/yaml",
	".yml":         "application/yaml",

	// images
	".apng": "image/apng",
	".avif": "image/avif",
	".bmp":  "image/bmp",
	".gif":  "image/gif",
	".ico":  "image/x-icon",
	".jpeg": "image/jpeg",
	".jpg":  "image/jpeg",
	".jxl":  "image/jxl",
	".png":  "image/png",
	".svg":  "image/svg+xml",
	".tif":  "image/tiff",
	".tiff": "image/tiff",
	".webp": "image/webp",

	// sound and film
	".aac":  "audio/aac",
	".flac": "audio/flac",
	".m4a":  "audio/mp4",
	".m4v":  "video/mp4",
	".mid":  "audio/midi",
	".midi": "audio/midi",
	".mov":  "video/quicktime",
	".mp3":  "audio/mpeg",
	".mp4":  "video/mp4",
	".oga":  "audio/ogg",
	".ogg":  "audio/ogg",
	".ogv":  "video/ogg",
	".opus": "audio/ogg",
	".wav":  "audio/wav",
	".weba": "audio/webm",
	".webm": "video/webm",

	// fonts
	".eot":   "application/vnd.ms-fontobject",
	".otf":   "font/otf",
	".ttc":   "font/collection",
	".ttf":   "font/ttf",
	".woff":  "font/woff",
	".woff2": "font/woff2",

	// models
	".glb":  "model/gltf-binary",
	".gltf": "model/gltf+json",
	".mtl":  "model/mtl",
	".obj":  "model/obj",
	".stl":  "model/stl",

	// archives
	".7z":  "application/x-7z-compressed",
	".bz2": "application/x-bzip2",
	".gz":  "application/gzip",
	".tar": "application/x-tar",
	".tgz": "application/gzip",
	".whl": "application/zip", // a Python package is a zip file
	".xz":  "application/x-xz",
	".zip": "application/zip",
}
