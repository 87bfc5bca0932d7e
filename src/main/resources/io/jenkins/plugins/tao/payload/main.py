

def main(arguments):
    try:
        if arguments[0] == "download":
            download(json.loads(arguments[1]))
        elif arguments[0] == "resume":
            resume(json.loads(arguments[1]))
        elif arguments[0] == "code":
            fetch_code(json.loads(arguments[1]), arguments[2])
        else:
            upload(json.loads(arguments[1]), int(arguments[2]))
        return 0
    except (Refused, OSError, tarfile.TarError, http.client.HTTPException) as e:
        say("ERROR: %s" % e)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
