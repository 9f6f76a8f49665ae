// Package mcp runs MCP hosts and servers as their authors publish them on npm.
//
// [Bundle] bundles code that imports their packages into a script for a page. [Start]
// runs one of their servers. Nothing here knows the product.
package mcp
