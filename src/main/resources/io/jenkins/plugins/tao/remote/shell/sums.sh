# Output: tao_sum, the command that tells the SHA-256 of files: 64 digits, a blank, a blank or asterisk, the name. OpenSSL uses the
# processor's own instructions and takes a fifth of sha256sum's time.
if openssl sha256 -r /dev/null > /dev/null 2>&1; then tao_sum='openssl sha256 -r'; else tao_sum='sha256sum --'; fi
