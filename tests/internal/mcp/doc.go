// Package mcp runs MCP hosts and servers as their authors publish them on npm.
//
// [Bundle] makes a script for a page of what imports their packages, and [Start] runs one
// of their servers. Nothing here knows the product.
package mcp
